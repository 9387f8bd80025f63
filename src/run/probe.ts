import type { Outcome, Run } from "../domain/run.ts";
import { isSameSkill, type Skill } from "../domain/skill.ts";
import type { Case } from "../domain/suite.ts";
import type { HarnessOptions } from "./harness.ts";
import type { Base } from "./workspace/base.ts";

/** What surrounds the skill under test where the question is whether it fires. */
export interface ProbeSetup {
  /** The project without any skill of its own, so that only those staged can be taken up. */
  readonly base: Base;
  readonly rivals: readonly Skill[];
  /** `stub` keeps what clients list of the skill and leaves its instructions and files out. */
  readonly body: "intact" | "stub";
}

/** Null for a case that asks for more than whether the skill fires. */
export function probeSetup({ kind }: Pick<Case, "kind">, setup: ProbeSetup | undefined): ProbeSetup | null {
  return kind === "trigger" ? (setup ?? null) : null;
}

/**
 * A probe that fired has answered, however it ended. One that was cut short without that has answered nothing: it is not
 * one that did not fire.
 */
export function probeOutcome(
  outcome: Outcome,
  { stopOnSkill }: Pick<HarnessOptions, "stopOnSkill">,
  { activations }: Pick<Run, "activations">,
): Outcome {
  if (stopOnSkill === null) return outcome;
  if (activations.some(({ skill }) => isSameSkill(skill, stopOnSkill))) return { status: "completed" };
  switch (outcome.status) {
    case "timed-out":
      return {
        status: "invalid",
        message: `the client was ended at the deadline, after ${Math.round(outcome.afterMs / 1000)} s, and it is not known whether the skill fires`,
        mayPass: false,
      };
    case "crashed":
      return {
        status: "invalid",
        message: `whether the skill fires could not be seen: ${outcome.message}`,
        mayPass: true,
      };
    default:
      return outcome;
  }
}
