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

export function undecidedOf(state: Pick<IterationState, "trials" | "gradings" | "runs">): Undecided {
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

function openPoints(
  { id, caseId }: Trial,
  { gradings, runs }: Pick<IterationState, "gradings" | "runs">,
): OpenPoint[] {
  const grading = gradings.get(id);
  if (grading === undefined) {
    const outcome = runs.get(id)?.run.outcome;
    const said = outcome !== undefined && "message" in outcome ? `: ${outcome.message}` : "";
    return [{ caseId: null, reason: `${id} does not count: ${outcome?.status ?? "not run"}${said}` }];
  }
  return grading.verdicts
    .filter(({ status }) => status === "unscored")
    .map(({ text, reason }) => ({ caseId, reason: `${text}: ${reason}` }));
}
