import type { CasePair } from "./case-pairs.ts";
import { mean } from "./descriptive.ts";
import { type Interval, meanInterval } from "./intervals.ts";
import { signFlipTest } from "./sign-flip.ts";

/** Seconds, tokens or money of two arms as a ratio: 1.3 is 30 % more. */
export interface RatioComparison {
  /** Cases with the measure above zero in both arms. */
  readonly cases: number;
  readonly casesLeftOut: number;
  /** Geometric mean over cases of treatment over baseline. */
  readonly ratio: number;
  /** Student's, of the logarithms; null for a single case. */
  readonly interval: Interval | null;
  readonly pValue: number | null;
}

/**
 * Costs are skewed: one case may take ten times as long as another. Their ratios are not, so the interval is that of the
 * logarithms. Null when no case has both.
 */
export function compareRatio(
  pairs: readonly CasePair[],
  { alpha = 0.05, seed = 1 }: { readonly alpha?: number; readonly seed?: number } = {},
): RatioComparison | null {
  const logs = pairs.flatMap(({ treatment, baseline }) =>
    treatment === null || baseline === null || treatment <= 0 || baseline <= 0
      ? []
      : [Math.log(treatment / baseline)],
  );
  const centre = mean(logs);
  if (centre === null) return null;
  const interval = meanInterval(logs, alpha);
  return {
    cases: logs.length,
    casesLeftOut: pairs.length - logs.length,
    ratio: Math.exp(centre),
    interval: interval && { low: Math.exp(interval.low), high: Math.exp(interval.high) },
    pValue: signFlipTest(logs, seed),
  };
}
