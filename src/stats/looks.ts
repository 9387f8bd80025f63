import type { CaseRuns } from "./case-runs.ts";
import { normalCdf, normalQuantile } from "./distributions.ts";
import { compareOnTheseCases, type TheseCases, type TheseCasesOptions, worthSeeing } from "./these-cases.ts";
import { smallestWithinCase } from "./within-case.ts";

export interface LooksOptions extends TheseCasesOptions {
  /** Runs per case and arm at each look, ascending, fixed before the first. */
  readonly sizes: readonly number[];
}

interface Look {
  readonly runs: number;
  readonly threshold: number;
  readonly pValue: number | null;
  /** Whether any outcome of so many runs could have reached the threshold. */
  readonly couldDecide: boolean;
}

/** `futile`: even if there is a lift worth seeing, the looks that are left would hardly show it. */
export interface LooksTaken {
  readonly status: "decided" | "futile" | "open" | "finished";
  /** At the last look taken, with that look's share of alpha, so its interval allows for the looking. */
  readonly comparison: TheseCases;
  readonly looks: readonly Look[];
}

/**
 * What a p-value must reach at the n-th result of runs that somebody adds to, having seen the results before: all of alpha at
 * the first, a tenth at the second, half as much at each further. Nobody says beforehand how often that will be.
 */
export function alphaAtLook(look: number, alpha: number = 0.05): number {
  return look <= 1 ? alpha : alpha / 10 / 2 ** (look - 2);
}

/** Looks after 2, 4, 6 and 8 runs. */
export const USUAL_LOOKS: readonly number[] = [2, 4, 6, 8];

/**
 * The comparison on these cases after each of several looks, with a chance of a false finding of at most alpha over all
 * of them: each look may use an equal share of what is left, and a look at which no outcome could decide uses nothing.
 * Holds however the looks depend on each other. Stopping because little can come of it never adds a false finding. Null
 * before the first look.
 */
export function lookRepeatedly(
  history: readonly (readonly CaseRuns[])[],
  { sizes, alpha = 0.05, minEffect = 0, seed = 1 }: LooksOptions,
): LooksTaken | null {
  if (history.length > sizes.length)
    throw new RangeError(`${history.length} looks were made and ${sizes.length} planned`);
  const looks: Look[] = [];
  let left = alpha;
  let comparison: TheseCases | null = null;
  for (const [at, cases] of history.entries()) {
    const threshold = left / (sizes.length - at);
    comparison = compareOnTheseCases(cases, { alpha: threshold, minEffect, seed });
    const couldDecide = (comparison.smallestPValue ?? 1) <= threshold;
    looks.push({ runs: sizes[at] ?? 0, threshold, pValue: comparison.pValue, couldDecide });
    if (comparison.verdict !== "undecided" && comparison.verdict !== "invalid")
      return { status: "decided", comparison, looks };
    if (couldDecide) left -= threshold;
    const ahead = sizes.slice(at + 1);
    if (
      ahead.length > 0 &&
      isFutile(comparison, { at: sizes[at] ?? 1, ahead, threshold: left / ahead.length })
    )
      return { status: "futile", comparison, looks };
  }
  if (comparison === null) return null;
  return { status: history.length === sizes.length ? "finished" : "open", comparison, looks };
}

/** A chance below this of still seeing a lift worth having, if there is one, is not worth the runs. */
const SLIM = 0.1;

/** Conditional power of the last look, under a lift worth seeing in either direction. */
function isFutile(
  { lift, interval, alpha, minEffect, cases }: TheseCases,
  { at, ahead, threshold }: { at: number; ahead: readonly number[]; threshold: number },
): boolean {
  const last = ahead.at(-1) ?? at;
  if (lift === null || interval === null) return true;
  if (
    smallestWithinCase(Array.from({ length: cases }, () => ({ treatment: last, baseline: last }))) > threshold
  )
    return true;
  const least = worthSeeing(minEffect);
  const share = at / last;
  const error = ((interval.high - interval.low) / 2 / normalQuantile(1 - alpha / 2)) * Math.sqrt(share);
  if (error === 0) return false;
  const critical = normalQuantile(1 - threshold / 2);
  const chance = (effect: number, seen: number) =>
    normalCdf(((seen * share + effect * (1 - share)) / error - critical) / Math.sqrt(1 - share));
  const towards = Math.max(least, Math.abs(lift));
  return chance(lift > 0 ? towards : least, lift) < SLIM && chance(lift < 0 ? towards : least, -lift) < SLIM;
}
