/** A check from the older runs to the newer. */
export interface Flip {
  readonly caseId: string;
  readonly checkId: string;
  readonly text: string;
  readonly change: FlipChange;
  /** Null: the check is not in that iteration. */
  readonly before: Passed | null;
  readonly after: Passed | null;
  /** One-sided, of this check alone; null where it did not change or cannot be compared. */
  readonly pValue: number | null;
}

/** In how many of the runs that decided it a check passed. */
export interface Passed {
  readonly passed: number;
  readonly runs: number;
}

/**
 * `regressed` and `fixed` are beyond chance; `moved`: chance does that too. `changed`: the check itself is another one, under
 * the same id. `unscored`: no run decided it on one side.
 */
export type FlipChange =
  | "regressed"
  | "fixed"
  | "moved"
  | "changed"
  | "new"
  | "removed"
  | "unscored"
  | "same";

/** All checks that both sides have, as one. */
export interface ChecksTogether {
  readonly change: "regressed" | "fixed" | "moved" | "same";
  /** Mean over cases of the share of checks passed, after minus before. */
  readonly difference: number;
  readonly pValue: number | null;
  /** Runs of each case, before and now, that would confirm what moved if it went on like this; null: nothing moved, or too many. */
  readonly runsToTell: number | null;
}
