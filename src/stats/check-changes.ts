import type { CaseRuns } from "./case-runs.ts";
import { comparableScores, type Decided } from "./comparable.ts";
import { confirmChanges, type UnitChange } from "./confirm.ts";

/** The runs of one case before and now, and the checks that mean the same on both sides. */
export interface CheckedCase {
  readonly caseId: string;
  readonly checks: ReadonlySet<string>;
  readonly before: readonly Decided[];
  readonly now: readonly Decided[];
}

export interface CheckChange extends UnitChange {
  readonly caseId: string;
  readonly checkId: string;
}

export interface CheckChanges {
  /** All checks of all cases as one. */
  readonly together: UnitChange;
  readonly checks: readonly CheckChange[];
}

/**
 * Which checks changed beyond chance, and whether all of them together did: many losses add up where none of them alone
 * could be told from chance. The whole and the single checks have half of alpha each.
 */
export function checkChanges(
  cases: readonly CheckedCase[],
  { alpha = 0.05, seed = 1 }: { readonly alpha?: number; readonly seed?: number } = {},
): CheckChanges {
  const half = { alpha: alpha / 2, seed };
  const whole = cases.map(({ checks, before, now }) => comparableScores(checks, now, before));
  const [together] = confirmChanges([{ id: "together", cases: whole }], half);
  const units = cases.flatMap(({ caseId, checks, before, now }) =>
    [...checks].map((checkId) => ({ caseId, id: checkId, cases: [runsOf(checkId, now, before)] })),
  );
  if (together === undefined) throw new Error("there is always a whole");
  return {
    together,
    checks: confirmChanges(units, half).map((change, at) => ({
      ...change,
      caseId: units[at]?.caseId ?? "",
      checkId: change.id,
    })),
  };
}

/** The scores of one check in the runs that decided it. */
export function runsOf(checkId: string, now: readonly Decided[], before: readonly Decided[]): CaseRuns {
  const scores = (runs: readonly Decided[]) =>
    runs.flatMap((run) => (run.has(checkId) ? [Number(run.get(checkId))] : []));
  return { treatment: scores(now), baseline: scores(before) };
}
