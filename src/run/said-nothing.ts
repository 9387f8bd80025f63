import { type Outcome, UNKNOWN_USAGE } from "../domain/run.ts";
import type { HarnessRun } from "./harness.ts";

/** What there is to say of an agent that ended without a word about itself. */
export function saidNothing(outcome: Outcome): HarnessRun {
  return {
    outcome,
    model: null,
    sessionId: null,
    steps: 0,
    usage: UNKNOWN_USAGE,
    denials: [],
    skillsOffered: null,
    clientVersion: null,
    notes: [],
  };
}
