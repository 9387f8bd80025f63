import { clopperPearson } from "../../stats/intervals.ts";

/** How often something passed, and how often it must. */
export interface AskedRate {
  readonly passed: number;
  readonly runs: number;
  /** From 0 to 1. */
  readonly rate: number;
  /** From 0 to 1, as 0.95. */
  readonly confidence: number;
}

export interface SettledRate {
  /** `unsettled`: the runs fit a rate above and below what is asked for. */
  readonly status: "passed" | "failed" | "unsettled";
  /** Two exact one-sided bounds: the true rate is above the low one, or below the high one, with that confidence. Null without a run. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** If every further run passed, so many in all would settle it; null: no more than a thousand would. */
  readonly runsToPass: number | null;
}

/** Does it pass at least so often, as far as these runs can tell? Clopper and Pearson's bounds, so exact for any number of runs. */
export function settleRate({ passed, runs, rate, confidence }: AskedRate): SettledRate {
  const interval = boundsOf(passed, runs, confidence);
  const status = interval === null ? "unsettled" : sideOf(interval, rate);
  return {
    status,
    interval,
    runsToPass: status === "unsettled" ? moreToPass({ passed, runs, rate, confidence }) : null,
  };
}

function sideOf({ low, high }: { low: number; high: number }, rate: number): SettledRate["status"] {
  if (low >= rate) return "passed";
  return high < rate ? "failed" : "unsettled";
}

function boundsOf(passed: number, runs: number, confidence: number) {
  return clopperPearson(passed, runs, 2 * (1 - confidence));
}

function moreToPass({ passed, runs, rate, confidence }: AskedRate): number | null {
  const reaches = (more: number) => (boundsOf(passed + more, runs + more, confidence)?.low ?? 0) >= rate;
  if (!reaches(MOST_RUNS)) return null;
  let [few, enough] = [0, MOST_RUNS];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (reaches(middle)) enough = middle;
    else few = middle;
  }
  return runs + enough;
}

const MOST_RUNS = 1000;
