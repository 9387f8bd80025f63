import { type CasePair, differencesOf } from "./case-pairs.ts";
import { compareArms, type CompareOptions } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import { smallestPValue } from "./sign-flip.ts";

export interface SequentialOptions extends CompareOptions {
  /** How often at most the data are looked at; fixed before the first look. */
  readonly maxLooks: number;
}

export interface SequentialComparison {
  /** At the look that decided, or the last; its alpha is that look's share, so its interval allows for the looking. */
  readonly comparison: Comparison;
  /** Counts from 1; null while undecided. */
  readonly decidedAt: number | null;
  /** Nothing more is to be run: decided, or no look is left. */
  readonly finished: boolean;
  /** The p-value that each look had to reach, and did or did not. */
  readonly looks: readonly { readonly threshold: number; readonly pValue: number | null }[];
}

/**
 * The comparison after each of several looks, with a false-alarm rate of at most alpha over all of them. Each look may
 * spend what the plan allows so far (alpha times the square of the share of looks made) and earlier looks did not use;
 * a look that could not have rejected anything used nothing. Holds however the looks depend on each other, as long as
 * what is run next does not depend on which arm is ahead. Null before the first look.
 */
export function compareSequentially(
  looks: readonly (readonly CasePair[])[],
  options: SequentialOptions,
): SequentialComparison | null {
  const { alpha = 0.05, maxLooks } = options;
  if (looks.length > maxLooks)
    throw new RangeError(`${looks.length} looks were made and ${maxLooks} planned`);
  const seen: { threshold: number; pValue: number | null }[] = [];
  let used = 0;
  let comparison: Comparison | null = null;
  for (const [position, pairs] of looks.entries()) {
    const threshold = alpha * ((position + 1) / maxLooks) ** 2 - used;
    comparison = compareArms(pairs, { ...options, alpha: threshold });
    seen.push({ threshold, pValue: comparison.pValue });
    if (comparison.verdict === "better" || comparison.verdict === "worse") {
      return { comparison, decidedAt: position + 1, finished: true, looks: seen };
    }
    used += attained(threshold, differencesOf(pairs));
  }
  return comparison && { comparison, decidedAt: null, finished: looks.length === maxLooks, looks: seen };
}

/** At most this is the chance that a look at such differences rejects by accident: a whole number of sign patterns. */
function attained(threshold: number, differences: readonly number[]): number {
  const step = smallestPValue(differences.filter((difference) => difference !== 0).length);
  return step === null ? 0 : Math.floor(threshold / step) * step;
}
