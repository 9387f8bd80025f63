import type { CaseRuns } from "./case-runs.ts";
import { holm, worthTesting } from "./multiple-testing.ts";
import { withinCaseTest, type WithinCaseTest } from "./within-case.ts";

/** One check, or one query, or all of a case's: the scores of runs now (treatment) and before (baseline), by case. */
export interface Unit {
  readonly id: string;
  readonly cases: readonly CaseRuns[];
}

/**
 * `worse` and `better`: the mean changed, and not by chance. `moved`: it changed, but chance does that too. `unknown`: no
 * runs then or now.
 */
export type UnitStatus = "worse" | "better" | "moved" | "same" | "unknown";

export interface UnitChange {
  readonly id: string;
  readonly status: UnitStatus;
  /** Of the means, now minus before. */
  readonly change: number | null;
  /** One-sided, in the direction of the change, of this unit alone. */
  readonly pValue: number | null;
  /** Holm's, over all units that could have been confirmed; null for one that could not. */
  readonly adjustedPValue: number | null;
}

/**
 * What changed since the earlier result. The chance that any unit of an unchanged skill is called worse is at most alpha,
 * however many there are, and so is the chance that any is called better.
 */
export function confirmChanges(
  units: readonly Unit[],
  { alpha = 0.05, seed = 1 }: { readonly alpha?: number; readonly seed?: number } = {},
): UnitChange[] {
  const tests = units.map(({ cases }) => withinCaseTest(cases, seed));
  const worse = adjusted(tests, { tail: "pWorse", alpha });
  const better = adjusted(tests, { tail: "pBetter", alpha });
  return units.map(({ id }, at) => {
    const test = tests[at] ?? null;
    if (test === null || test.lift === 0)
      return {
        id,
        status: test === null ? "unknown" : "same",
        change: test?.lift ?? null,
        pValue: null,
        adjustedPValue: null,
      };
    const isWorse = test.lift < 0;
    const adjustedPValue = (isWorse ? worse : better)[at] ?? null;
    const isConfirmed = adjustedPValue !== null && adjustedPValue <= alpha + 1e-12;
    return {
      id,
      status: isConfirmed ? (isWorse ? "worse" : "better") : "moved",
      change: test.lift,
      pValue: isWorse ? test.pWorse : test.pBetter,
      adjustedPValue,
    };
  });
}

function adjusted(
  tests: readonly (WithinCaseTest | null)[],
  { tail, alpha }: { tail: "pWorse" | "pBetter"; alpha: number },
): (number | null)[] {
  const worth = worthTesting(
    tests.map((test) => test?.smallest[tail] ?? null),
    alpha,
  );
  return holm(tests.map((test, at) => (worth[at] === true ? (test?.[tail] ?? null) : null)));
}
