import type { CasePair } from "./case-pairs.ts";
import { compareArms } from "./compare.ts";
import type { Interval } from "./intervals.ts";
import { betaQuantile } from "./distributions.ts";
import { fewestCases } from "./sign-flip.ts";

/** What these cases say about other cases like them. Null where they say nothing. */
export interface OtherCases {
  /** `too few`: with so many cases no outcome, however clear, says anything. */
  readonly verdict: "better" | "worse" | "undecided" | "too few" | "invalid";
  readonly cases: number;
  readonly gains: number;
  readonly losses: number;
  readonly ties: number;
  readonly lift: number | null;
  /** The sign-flip test over cases, and its interval. */
  readonly pValue: number | null;
  readonly interval: Interval | null;
  readonly alpha: number;
  /** With confidence 1 - alpha, at least this share of such cases improves, and at least this share gets worse. */
  readonly improvesAtLeast: number | null;
  readonly worsensAtLeast: number | null;
  /** In all, to say more: the fewest that can, or enough to see such a lift four times in five. Null once decided. */
  readonly casesNeeded: number | null;
}

export function compareOnOtherCases(
  pairs: readonly CasePair[],
  { alpha = 0.05, minEffect = 0, seed = 1 }: { alpha?: number; minEffect?: number; seed?: number } = {},
): OtherCases {
  const { cases, gains, losses, ties, lift, pValue, interval, ...found } = compareArms(pairs, {
    alpha,
    minEffect,
    seed,
  });
  const decided = found.verdict === "better" || found.verdict === "worse" ? found.verdict : null;
  const tooFew = cases < fewestCases(alpha);
  return {
    verdict: cases === 0 ? "invalid" : (decided ?? (tooFew ? "too few" : "undecided")),
    cases,
    gains,
    losses,
    ties,
    lift,
    pValue,
    interval,
    alpha,
    improvesAtLeast: shareAtLeast(gains, cases, alpha),
    worsensAtLeast: shareAtLeast(losses, cases, alpha),
    casesNeeded: decided === null ? (tooFew ? fewestCases(alpha) : found.casesNeeded) : null,
  };
}

/** Clopper and Pearson's one-sided lower bound: holds with confidence 1 - alpha whatever the true share. */
export function shareAtLeast(count: number, total: number, alpha: number = 0.05): number | null {
  if (total === 0) return null;
  return count === 0 ? 0 : betaQuantile(alpha, count, total - count + 1);
}

/** How many cases, all of them improved, it takes to say that at least `share` of such cases improves. */
export function casesForShare(share: number, alpha: number = 0.05): number {
  if (!(share > 0 && share < 1)) throw new RangeError(`a share is between 0 and 1, not ${share}`);
  return Math.ceil(Math.log(alpha) / Math.log(share));
}
