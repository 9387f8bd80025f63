import type { Trial } from "../../domain/trial.ts";
import type { IterationState } from "../../store/state.ts";

/** What a score does not tell about: trials that do not count, and checks that nobody could decide. */
export interface Undecided {
  readonly count: number;
  /** Of the first; null when everything is decided. */
  readonly reason: string | null;
  /** Cases with checks that may be decided when they are graded again. */
  readonly caseIds: ReadonlySet<string>;
}

export function undecidedOf(state: Pick<IterationState, "trials" | "gradings">): Undecided {
  const found = state.trials.flatMap((trial) => openPoints(trial, state));
  return {
    count: found.length,
    reason: found[0]?.reason ?? null,
    caseIds: new Set(found.flatMap(({ caseId }) => caseId ?? [])),
  };
}

interface OpenPoint {
  /** Null where grading again would not help. */
  readonly caseId: string | null;
  readonly reason: string;
}

function openPoints({ id, caseId }: Trial, { gradings }: Pick<IterationState, "gradings">): OpenPoint[] {
  const grading = gradings.get(id);
  if (grading === undefined) return [{ caseId: null, reason: `nothing could be graded in ${id}` }];
  return grading.verdicts
    .filter(({ status }) => status === "unscored")
    .map(({ text, reason }) => ({ caseId, reason: `${text}: ${reason}` }));
}
