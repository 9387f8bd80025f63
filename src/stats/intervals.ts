import { mean as meanOf, stddev } from "./descriptive.ts";
import { betaQuantile, tQuantile } from "./distributions.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard normal quantile of 97.5 %. */
const Z95 = 1.959963984540054;

/** Wilson's score interval for a share of `passed` in `total`; null when nothing was counted. */
export function wilson(passed: number, total: number, z: number = Z95): Interval | null {
  if (total === 0) return null;
  const share = passed / total;
  const z2 = z * z;
  const centre = share + z2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total * total));
  const scale = 1 + z2 / total;
  // At the ends the bound is the share itself, which rounding would miss by a hair.
  return {
    low: Math.min(share, Math.max(0, (centre - spread) / scale)),
    high: Math.max(share, Math.min(1, (centre + spread) / scale)),
  };
}

/** Clopper and Pearson's exact interval: covers at least 1 - alpha whatever the true share; null when nothing was counted. */
export function clopperPearson(passed: number, total: number, alpha: number = 0.05): Interval | null {
  if (total === 0) return null;
  return {
    low: passed === 0 ? 0 : betaQuantile(alpha / 2, passed, total - passed + 1),
    high: passed === total ? 1 : betaQuantile(1 - alpha / 2, passed + 1, total - passed),
  };
}

/** Student's interval of a mean; null for fewer than two values, which say nothing about their spread. */
export function meanInterval(values: readonly number[], alpha: number = 0.05): Interval | null {
  const centre = meanOf(values);
  if (centre === null || values.length < 2) return null;
  const reach = (tQuantile(1 - alpha / 2, values.length - 1) * stddev(values)) / Math.sqrt(values.length);
  return { low: centre - reach, high: centre + reach };
}
