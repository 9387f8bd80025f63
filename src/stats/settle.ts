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

/** `unsettled`: chance alone could have put the rate on this side of the threshold. */
export interface SettledQuery {
  readonly status: "passed" | "failed" | "unsettled";
  /** What the rate says by itself; null without a run. */
  readonly leaning: "passed" | "failed" | null;
  /** Two one-sided 95 % bounds: the rate is above the low one, or below the high one, with that confidence. */
  readonly interval: Interval | null;
}

/** Settled once Wilson's bounds exclude the threshold. */
export function settleQuery({ fired, runs, shouldFire, threshold }: Firing): SettledQuery {
  const interval = wilson(fired, runs, Z);
  const side = sideOf(interval, threshold);
  const isRight = (above: boolean) => (above === shouldFire ? "passed" : "failed");
  return {
    status: side === null ? "unsettled" : isRight(side === "above"),
    leaning: runs === 0 ? null : isRight(fired / runs >= threshold),
    interval,
  };
}

/** The fewest runs in all, `most` at the most, that could settle a query the way it leans; null where none could. */
export function runsToSettle(
  { fired, runs, threshold }: Omit<Firing, "shouldFire">,
  most: number,
): number | null {
  const leansAbove = fired / runs >= threshold;
  for (let all = runs; all <= most; all++) {
    const ahead = fired + (leansAbove ? all - runs : 0);
    if (all > 0 && sideOf(wilson(ahead, all, Z), threshold) !== null) return all;
  }
  return null;
}

/** The fewest runs that could settle a query one way or the other. */
export function fewestToSettle(threshold: number, most: number): number {
  for (let runs = 1; runs < most; runs++)
    if ([0, runs].some((fired) => sideOf(wilson(fired, runs, Z), threshold) !== null)) return runs;
  return most;
}

const Z = normalQuantile(0.95);

function sideOf(interval: Interval | null, threshold: number): "above" | "below" | null {
  if (interval === null) return null;
  // A threshold of 0 has nothing below it: there the bound itself decides.
  if (interval.low > threshold || (threshold <= 0 && interval.low >= threshold)) return "above";
  return interval.high < threshold ? "below" : null;
}
