import { holm, worthTesting } from "./multiple-testing.ts";
import { withinCaseTest } from "./within-case.ts";

/** One check, query or case: the scores of its runs then and now. */
export interface BeforeAndNow {
  readonly id: string;
  readonly before: readonly number[];
  readonly now: readonly number[];
}

/**
 * `confirmed`: worse, and not by chance. `moved`: the mean is lower, but chance does that too. `unknown`: no runs then or
 * now. `held`: as good or better.
 */
type WorseStatus = "confirmed" | "moved" | "held" | "unknown";

export interface ConfirmedWorse {
  readonly id: string;
  readonly status: WorseStatus;
  /** Of the means, now minus before. */
  readonly change: number | null;
  /** One-sided, of this unit alone. */
  readonly pValue: number | null;
  /** Holm's, over all units that could have been confirmed; null for one that could not. */
  readonly adjustedPValue: number | null;
  /** Runs now, as many as before, from which on a complete break of this unit alone is confirmed. */
  readonly runsNeeded: number;
}

/**
 * Which units got worse since the earlier result. The chance that any unit of an unchanged skill is confirmed is at most
 * alpha, however many there are.
 */
export function confirmWorse(
  units: readonly BeforeAndNow[],
  { alpha = 0.05, seed = 1 }: { readonly alpha?: number; readonly seed?: number } = {},
): ConfirmedWorse[] {
  const tests = units.map(({ before, now }) => withinCaseTest([{ treatment: now, baseline: before }], seed));
  const worth = worthTesting(
    tests.map((test) => test?.smallest.pWorse ?? null),
    alpha,
  );
  const adjusted = holm(tests.map((test, at) => (worth[at] === true ? (test?.pWorse ?? null) : null)));
  return units.map(({ id, before }, at) => {
    const test = tests[at] ?? null;
    const adjustedPValue = adjusted[at] ?? null;
    const confirmed =
      test !== null && test.lift < 0 && adjustedPValue !== null && adjustedPValue <= alpha + 1e-12;
    return {
      id,
      status: confirmed ? "confirmed" : statusOf(test?.lift ?? null),
      change: test?.lift ?? null,
      pValue: test?.pWorse ?? null,
      adjustedPValue,
      runsNeeded: runsToConfirm(before.length, alpha),
    };
  });
}

function statusOf(change: number | null): WorseStatus {
  if (change === null) return "unknown";
  return change < 0 ? "moved" : "held";
}

/** The fewest runs now with which all failing, after that many all passing, is confirmed. */
function runsToConfirm(before: number, alpha: number): number {
  let now = 1;
  let ways = before + 1;
  while (1 / ways > alpha && now < 1 / alpha) {
    now++;
    ways = (ways * (before + now)) / now;
  }
  return now;
}
