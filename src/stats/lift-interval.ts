import { sum } from "./descriptive.ts";
import { type Interval, meanInterval } from "./intervals.ts";
import { signFlipInterval } from "./sign-flip-interval.ts";
import { signFlipTest } from "./sign-flip.ts";

export interface LiftIntervalOptions {
  /** Default 0.05, for a 95 % interval. */
  readonly alpha?: number;
  /** The largest difference there can be: 1 for rates (the default), null where nothing bounds it (seconds, tokens). */
  readonly extreme?: number | null;
  readonly seed?: number;
  /** The sign-flip test's p-value, where it is known already. */
  readonly pValue?: number | null;
}

/**
 * The interval of the mean difference over the population of cases: every mean that the cases do not speak against.
 *
 * Zero is in it exactly when the sign-flip test does not reject it; a bound of 0 beside a rejection means "above (below)
 * zero". Other means are kept when either of two tests keeps them: the inverted sign-flip test, or Student's test with two
 * imaginary cases added, one at each extreme. The second is there because a handful of equal differences would otherwise
 * claim a certainty that no handful of cases can give: skills often change nothing in most cases and everything in a few.
 * So few cases that the sign-flip test rejects nothing keep all that they saw. More confidence is never a narrower interval.
 *
 * Null without cases, and for a single case of an unbounded measure.
 */
export function liftInterval(
  differences: readonly number[],
  options: LiftIntervalOptions = {},
): Interval | null {
  const { alpha = 0.05, extreme = 1, seed = 1, pValue = signFlipTest(differences, seed) } = options;
  const imaginary = extreme === null ? [] : [extreme, -extreme];
  const student = meanInterval([...differences, ...imaginary], alpha);
  if (pValue === null || student === null) return null;
  const lift = sum(differences) / differences.length;
  const kept = [
    student,
    signFlipInterval(differences, { alpha, seed }) ?? {
      low: Math.min(...differences),
      high: Math.max(...differences),
    },
    pValue > alpha ? { low: 0, high: 0 } : null,
  ];
  const low = Math.min(lift, ...kept.flatMap((part) => part?.low ?? []));
  const high = Math.max(lift, ...kept.flatMap((part) => part?.high ?? []));
  const rejected = pValue <= alpha;
  return {
    low: Math.max(rejected && lift > 0 ? 0 : -Infinity, extreme === null ? low : Math.max(-extreme, low)),
    high: Math.min(rejected && lift < 0 ? 0 : Infinity, extreme === null ? high : Math.min(extreme, high)),
  };
}
