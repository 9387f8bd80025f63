import { leftOut } from "../domain/left-out.ts";
import {
  type Activation,
  countsAs,
  type Denial,
  type Outcome,
  type Run,
  type Validity,
} from "../domain/run.ts";
import type { Variant } from "../domain/trial.ts";
import type { HarnessRun } from "./harness.ts";
import { probeOutcome } from "./probe.ts";
import { meteredUsage, type Traffic } from "./traffic.ts";
import { judgeValidity } from "./validity.ts";

/** Everything that is known of a run once it has ended. */
export interface Known {
  readonly said: Pick<HarnessRun, "outcome" | "skillsOffered" | "usage">;
  /** Null: nothing passed where it could be seen. */
  readonly traffic: Traffic | null;
  /** What the client says that no model said; null: nothing that is known of. */
  readonly unfounded: string | null;
  readonly variant: Variant;
  /** The name the client knows the skill by; null where there is none. */
  readonly skill: string | null;
  readonly stopOnSkill: string | null;
  readonly activations: readonly Activation[];
  readonly denials: readonly Denial[];
  readonly durationMs: number;
}

type Conclusion = Pick<Run, "outcome" | "validity" | "skillsOffered" | "usage" | "notes">;

/** Judges a run once, by all that is known: what passed the gateway outweighs what the client says about it. */
export function conclude(known: Known): Conclusion {
  const { said, traffic, variant, skill, activations, denials } = known;
  const skillsOffered = traffic?.skillsOffered ?? said.skillsOffered;
  const validity: Validity =
    known.unfounded === null
      ? judgeValidity({ variant, skill, skillsOffered, activations, denials })
      : { status: "invalid", reason: known.unfounded };
  return {
    outcome: traffic?.stopped ?? probeOutcome(finalOutcome(known, validity), known, known),
    validity,
    skillsOffered,
    ...meteredUsage(said.usage, traffic),
  };
}

/** A run that was never valid has no other outcome; one that we ended early took exactly as long as we let it. */
function finalOutcome(
  { said: { outcome }, durationMs, unfounded, traffic }: Known,
  validity: Validity,
): Outcome {
  if (unfounded !== null && countsAs(outcome) !== "left-out") return leftOut("invalid", unfounded);
  // A client that repeats a failing request up to its deadline has shown nothing of the skill.
  if (outcome.status === "timed-out" && traffic?.unanswered) return traffic.unanswered;
  if (outcome.status === "timed-out") return { status: "timed-out", afterMs: Math.round(durationMs) };
  if (outcome.status === "completed" && validity.status === "invalid") {
    return leftOut("invalid", validity.reason);
  }
  return outcome;
}
