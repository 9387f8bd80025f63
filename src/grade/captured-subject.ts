import { type Run, NOTHING_DONE } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Subject } from "./subject.ts";

/** A text that a run left somewhere else: nothing is known of the run itself. */
export interface CapturedOutput {
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
}

export function capturedSubject(
  one: Case,
  output: CapturedOutput,
  { skill, now }: { readonly skill: string | null; readonly now: Date },
): Subject {
  const id = `${one.id}/with_skill/run-1`;
  return {
    case: one,
    trial: { id, key: "captured", caseId: one.id, variant: "with_skill", repetition: 1 },
    run: unknownRun(id, now),
    skill,
    only: "output",
    output: { status: "present", ...output },
    async *transcript() {},
    files: [],
  };
}

function unknownRun(trialId: string, now: Date): Run {
  return {
    ...NOTHING_DONE,
    trialId,
    outcome: { status: "completed" },
    validity: { status: "unverified", reason: "only a captured output was graded" },
    startedAt: now.toISOString(),
    durationMs: null,
    client: { name: "captured", version: null },
    conditions: { sandbox: "none", staging: "none", loadAverage: 0, freeMemoryBytes: 0 },
  };
}
