import { normalQuantile } from "./distributions.ts";
import { type Interval, wilson } from "./intervals.ts";

/** How often a query fired, and how often it should. */
export interface Firing {
  readonly fired: number;
  readonly runs: number;
  readonly shouldFire: boolean;
  /** Passed at or above it when the skill should fire, below it when it should not. */
  readonly threshold: number;
}

/** `unsettled`: more runs could still tip it either way. */
export interface SettledQuery {
  readonly status: "passed" | "failed" | "unsettled";
  readonly rate: number | null;
  /** Two one-sided 95 % bounds: the rate is above the low one, or below the high one, with that confidence. */
  readonly interval: Interval | null;
  /** More runs that would settle it if the rate stays as it is; 0 once settled, null where that is out of reach. */
  readonly moreRuns: number | null;
}

/** Settled once Wilson's bounds exclude the threshold. */
export function settleQuery(
  { fired, runs, shouldFire, threshold }: Firing,
  { alpha = 0.05 }: { readonly alpha?: number } = {},
): SettledQuery {
  const z = normalQuantile(1 - alpha);
  const interval = wilson(fired, runs, z);
  const side = sideOf(interval, threshold);
  if (side !== null)
    return {
      status: (side === "above") === shouldFire ? "passed" : "failed",
      rate: fired / runs,
      interval,
      moreRuns: 0,
    };
  return {
    status: "unsettled",
    rate: runs === 0 ? null : fired / runs,
    interval,
    moreRuns: moreRuns({ fired, runs, threshold, z }),
  };
}

const MOST_MORE_RUNS = 100;

function sideOf(interval: Interval | null, threshold: number): "above" | "below" | null {
  if (interval === null) return null;
  // A threshold of 1 or 0 has nothing beyond it: there the bound itself decides.
  if (interval.low > threshold || (threshold <= 0 && interval.low >= threshold)) return "above";
  return interval.high < threshold ? "below" : null;
}

function moreRuns({
  fired,
  runs,
  threshold,
  z,
}: {
  fired: number;
  runs: number;
  threshold: number;
  z: number;
}) {
  const rate = runs === 0 ? 1 : fired / runs;
  for (let more = 1; more <= MOST_MORE_RUNS; more++) {
    const all = runs + more;
    if (sideOf(wilson(Math.round(rate * all), all, z), threshold) !== null) return more;
  }
  return null;
}
