import { type CaseRuns, inBothArms } from "./case-runs.ts";
import { sum } from "./descriptive.ts";
import {
  assignmentsOf,
  labelDistribution,
  type LabelDistribution,
  waysToDeal,
} from "./label-distribution.ts";
import { estimatedTails, type Tails } from "./label-draws.ts";

/** Whether the arms differ on these very cases. */
export interface WithinCaseTest extends Tails {
  /** Mean over cases of treatment minus baseline. */
  readonly lift: number;
  /** Ways to deal the labels; null beyond 2^53. */
  readonly assignments: number | null;
}

/**
 * Permutation test over runs: if the arms were alike on a case, each of its runs could as well have been the other arm's.
 * The p-value is the share of all ways to deal the labels within cases whose mean difference is at least as far from zero
 * as the one seen. Makes no assumption about scores, about how checks of a run hang together, or about equal numbers of
 * runs. Exact where that can be worked out; otherwise from seeded draws, counting the labels seen as one of them, so
 * that it is never too small; over thousands of cases from the normal distribution that the total then has. Null when no
 * case has runs in both arms.
 */
export function withinCaseTest(cases: readonly CaseRuns[], seed: number = 1): WithinCaseTest | null {
  const compared = inBothArms(cases);
  if (compared.length === 0) return null;
  const total = sum(compared.map(differenceOf));
  const slack = 1e-9 * sum(compared.map(largestScore));
  const assignments = assignmentsOf(compared);
  // Labels make no difference where all runs of a case score the same.
  const varied = compared.filter(isVaried);
  const distribution = labelDistribution(varied);
  const tails =
    distribution === null
      ? estimatedTails(varied, { total, slack, seed })
      : exactTails(distribution, { total, slack, assignments: assignmentsOf(varied) });
  return {
    lift: Math.abs(total) <= slack ? 0 : total / compared.length,
    ...tails,
    assignments: assignments <= Number.MAX_SAFE_INTEGER ? assignments : null,
  };
}

/**
 * The smallest two-sided p-value that so many runs could give, were all of one arm perfect and all of the other nothing.
 * Each entry is a case's runs per arm.
 */
export function smallestWithinCase(
  cases: readonly { readonly treatment: number; readonly baseline: number }[],
): number {
  const counted = cases.filter(({ treatment, baseline }) => treatment > 0 && baseline > 0);
  const mirrored = counted.every(({ treatment, baseline }) => treatment === baseline) ? 2 : 1;
  return Math.min(1, mirrored / waysToDeal(counted));
}

function exactTails(
  { totals, shares }: LabelDistribution,
  { total, slack, assignments }: { total: number; slack: number; assignments: number },
): Tails {
  let lowest = Infinity;
  let highest = -Infinity;
  for (let at = 0; at < totals.length; at++) {
    if (shares[at] === 0) continue;
    lowest = Math.min(lowest, totals[at] ?? 0);
    highest = Math.max(highest, totals[at] ?? 0);
  }
  // A share of whole assignments: sums of rounded shares would miss 0.05 by a hair.
  const shareBeyond = (low: number, high: number): number => {
    let share = 0;
    for (let at = 0; at < totals.length; at++) {
      const one = totals[at] ?? 0;
      if (one <= low + slack || one >= high - slack) share += shares[at] ?? 0;
    }
    return Math.min(1, assignments <= 2 ** 40 ? Math.round(share * assignments) / assignments : share);
  };
  const far = Math.abs(total);
  const farthest = Math.max(highest, -lowest);
  return {
    pValue: shareBeyond(-far, far),
    pBetter: shareBeyond(-Infinity, total),
    pWorse: shareBeyond(total, Infinity),
    smallest: {
      pValue: shareBeyond(-farthest, farthest),
      pBetter: shareBeyond(-Infinity, highest),
      pWorse: shareBeyond(lowest, Infinity),
    },
    method: { kind: "exact" },
  };
}

function isVaried({ treatment, baseline }: CaseRuns): boolean {
  const isOther = (score: number) => score !== treatment[0];
  return treatment.some(isOther) || baseline.some(isOther);
}

function differenceOf({ treatment, baseline }: CaseRuns): number {
  return sum(treatment) / treatment.length - sum(baseline) / baseline.length;
}

function largestScore({ treatment, baseline }: CaseRuns): number {
  let largest = 0;
  for (const score of treatment) largest = Math.max(largest, Math.abs(score));
  for (const score of baseline) largest = Math.max(largest, Math.abs(score));
  return largest;
}
