import { type CasePair, differencesOf } from "./case-pairs.ts";
import { sum } from "./descriptive.ts";
import type { Interval } from "./intervals.ts";
import { liftInterval } from "./lift-interval.ts";
import { signFlipTest } from "./sign-flip.ts";

/** Seconds, tokens or money of two arms over the same cases. */
export interface MeasureComparison {
  readonly cases: number;
  readonly difference: number;
  /** Null for a single case. */
  readonly interval: Interval | null;
  readonly pValue: number;
}

/** Null when no case has the measure in both arms. */
export function compareMeasure(
  pairs: readonly CasePair[],
  { alpha = 0.05, seed = 1 }: { readonly alpha?: number; readonly seed?: number } = {},
): MeasureComparison | null {
  const differences = differencesOf(pairs);
  const pValue = signFlipTest(differences, seed);
  if (pValue === null) return null;
  return {
    cases: differences.length,
    difference: sum(differences) / differences.length,
    interval: liftInterval(differences, { alpha, extreme: null, seed, pValue }),
    pValue,
  };
}
