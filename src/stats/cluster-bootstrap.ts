import { cohenKappa, krippendorffAlpha } from "./agreement.ts";
import type { Interval } from "./intervals.ts";
import { randomInteger, seededRandom } from "./random.ts";

export interface StatisticEstimate {
  readonly value: number | null;
  /** Null with fewer than five clusters, or when the statistic is mostly undefined in resamples. */
  readonly interval: Interval | null;
  readonly clusters: number;
}

export interface BootstrapOptions {
  readonly alpha?: number;
  readonly seed?: number;
  readonly draws?: number;
}

/** Kappa of two raters; ratings of one output hang together, so outputs are resampled whole. */
export function kappaByOutput(
  outputs: readonly (readonly (readonly [string, string])[])[],
  options: BootstrapOptions = {},
): StatisticEstimate {
  return clusterBootstrap(outputs, cohenKappa, options);
}

/** Krippendorff's alpha; the units of one output are resampled together. */
export function alphaByOutput(
  outputs: readonly (readonly (readonly (string | null)[])[])[],
  options: BootstrapOptions = {},
): StatisticEstimate {
  return clusterBootstrap(outputs, krippendorffAlpha, options);
}

/** A statistic with its percentile interval over resampled clusters. */
function clusterBootstrap<T>(
  clusters: readonly (readonly T[])[],
  statistic: (units: readonly T[]) => number | null,
  { alpha = 0.05, seed = 1, draws = 2_000 }: BootstrapOptions = {},
): StatisticEstimate {
  const filled = clusters.filter((cluster) => cluster.length > 0);
  const value = statistic(filled.flat());
  const known = { value, clusters: filled.length };
  if (value === null || filled.length < FEWEST_CLUSTERS) return { ...known, interval: null };
  const random = seededRandom(seed);
  const drawn = Array.from({ length: draws }, () =>
    statistic(filled.flatMap(() => filled[randomInteger(random, filled.length)] ?? [])),
  )
    .filter((one) => one !== null)
    .toSorted((a, b) => a - b);
  if (drawn.length < draws / 2) return { ...known, interval: null };
  const low = drawn[Math.floor((alpha / 2) * drawn.length)] ?? value;
  const high = drawn[Math.ceil((1 - alpha / 2) * drawn.length) - 1] ?? value;
  return { ...known, interval: { low: Math.min(low, value), high: Math.max(high, value) } };
}

const FEWEST_CLUSTERS = 5;
