import type { CaseRuns } from "./case-runs.ts";
import {
  commonDenominator,
  greatestCommonDivisor,
  leastCommonMultiple,
  waysToChoose,
} from "./whole-numbers.ts";

/** Totals over cases of the difference of the arms' means, with the share of label assignments that give each. */
export interface LabelDistribution {
  readonly totals: Float64Array;
  readonly shares: Float64Array;
}

/**
 * Every total that dealing the arm labels of the runs anew within each case can give. Pass rates are fractions, so the
 * totals are few however many assignments there are, and the cases' distributions are added up one after the other.
 * Scores that are no fractions are written out. Null where either would take too long.
 */
export function labelDistribution(cases: readonly CaseRuns[]): LabelDistribution | null {
  const onGrid = cases.length <= MOST_CASES ? gridOf(cases) : null;
  return (onGrid && addUp(onGrid)) ?? writeOut(cases);
}

/** How many ways there are to deal the labels; infinite when too many to count. */
export function assignmentsOf(cases: readonly CaseRuns[]): number {
  return waysToDeal(
    cases.map(({ treatment, baseline }) => ({ treatment: treatment.length, baseline: baseline.length })),
  );
}

/** The same from the number of runs of each case in each arm. */
export function waysToDeal(
  cases: readonly { readonly treatment: number; readonly baseline: number }[],
): number {
  let ways = 1;
  for (const { treatment, baseline } of cases) ways *= waysToChoose(treatment + baseline, treatment);
  return ways;
}

const MOST_CASES = 2_000;
const MOST_STEPS = 30_000_000;
const MOST_TOTALS = 1_000_000;
const MOST_WRITTEN_OUT = 200_000;

/** All cases in whole multiples of one unit. */
interface Grid {
  readonly unit: number;
  readonly cases: readonly GridCase[];
}

/** One case: its difference is `lowest + jump * k` units with the share of k; only k with a share are there. */
interface GridCase {
  readonly lowest: number;
  readonly jump: number;
  readonly shares: ReadonlyMap<number, number>;
  readonly reach: number;
}

function gridOf(cases: readonly CaseRuns[]): Grid | null {
  const denominator = commonDenominator(
    cases.flatMap(({ treatment, baseline }) => [...treatment, ...baseline]),
  );
  if (denominator === null) return null;
  let runs = 1;
  for (const { treatment, baseline } of cases) {
    runs = leastCommonMultiple(runs, leastCommonMultiple(treatment.length, baseline.length));
    if (runs * denominator > Number.MAX_SAFE_INTEGER / 1e6) return null;
  }
  const found = cases.map((one) => gridCase(one, denominator, runs));
  const known = found.filter((one) => one !== null);
  return known.length === cases.length ? { unit: 1 / (denominator * runs), cases: known } : null;
}

function gridCase({ treatment, baseline }: CaseRuns, denominator: number, runs: number): GridCase | null {
  const scores = [...treatment, ...baseline].map((score) => Math.round(score * denominator));
  const least = scores.reduce((low, score) => Math.min(low, score), Infinity);
  const step = scores.reduce((divisor, score) => greatestCommonDivisor(divisor, score - least), 0) || 1;
  const sums = sumsOfChosen(
    scores.map((score) => (score - least) / step),
    treatment.length,
  );
  if (sums === null) return null;
  const perUnit = runs / treatment.length + runs / baseline.length;
  const total = scores.reduce((sum, score) => sum + score, 0);
  const fewest = Math.min(...sums.keys());
  return {
    lowest: perUnit * (treatment.length * least + fewest * step) - (total * runs) / baseline.length,
    jump: perUnit * step,
    shares: new Map([...sums].map(([sum, share]) => [sum - fewest, share])),
    reach: Math.max(...sums.keys()) - fewest,
  };
}

/** The sums of every choice of so many of the numbers, with their shares; null where that takes too long. */
function sumsOfChosen(numbers: readonly number[], chosen: number): Map<number, number> | null {
  const descending = numbers.toSorted((a, b) => b - a);
  const most = descending.slice(0, chosen).reduce((sum, one) => sum + one, 0);
  const ways = waysToChoose(numbers.length, chosen);
  if (numbers.length * chosen * (most + 1) > MOST_STEPS / 10 || ways > 1e300) return null;
  const width = most + 1;
  const counts = new Float64Array((chosen + 1) * width);
  counts[0] = 1;
  for (const [seen, number] of numbers.entries()) {
    for (let count = Math.min(chosen, seen + 1); count >= 1; count--) {
      const to = count * width;
      const from = to - width - number;
      for (let sum = number; sum <= most; sum++)
        counts[to + sum] = (counts[to + sum] ?? 0) + (counts[from + sum] ?? 0);
    }
  }
  const sums = new Map<number, number>();
  for (const [sum, count] of counts.subarray(chosen * width).entries())
    if (count > 0) sums.set(sum, count / ways);
  return sums;
}

function addUp({ unit, cases }: Grid): LabelDistribution | null {
  const step = cases.reduce((divisor, one) => greatestCommonDivisor(divisor, one.jump), 0) || 1;
  const inSteps = cases
    .map((one) => ({ ...one, jump: one.jump / step }))
    .toSorted((a, b) => a.jump * a.reach - b.jump * b.reach);
  if (!isAffordable(inSteps)) return null;
  let shares = new Float64Array([1]);
  for (const one of inSteps) {
    const next = new Float64Array(shares.length + one.jump * one.reach);
    for (const [at, share] of one.shares) {
      const shift = at * one.jump;
      for (let from = 0; from < shares.length; from++)
        next[shift + from] = (next[shift + from] ?? 0) + share * (shares[from] ?? 0);
    }
    shares = next;
  }
  const lowest = cases.reduce((sum, one) => sum + one.lowest, 0);
  return { totals: shares.map((_, at) => (lowest + at * step) * unit), shares };
}

function isAffordable(cases: readonly GridCase[]): boolean {
  let length = 1;
  let steps = 0;
  for (const one of cases) {
    steps += length * one.shares.size;
    length += one.jump * one.reach;
    if (length > MOST_TOTALS || steps > MOST_STEPS) return false;
  }
  return true;
}

function writeOut(cases: readonly CaseRuns[]): LabelDistribution | null {
  const assignments = assignmentsOf(cases);
  if (assignments > MOST_WRITTEN_OUT) return null;
  let totals: readonly number[] = [0];
  for (const one of cases) {
    const differences = everyDifference(one);
    totals = totals.flatMap((total) => differences.map((difference) => total + difference));
  }
  return {
    totals: Float64Array.from(totals),
    shares: new Float64Array(totals.length).fill(1 / totals.length),
  };
}

function everyDifference({ treatment, baseline }: CaseRuns): number[] {
  const scores = [...treatment, ...baseline];
  const total = scores.reduce((sum, score) => sum + score, 0);
  const differences: number[] = [];
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      differences.push(sum / treatment.length - (total - sum) / baseline.length);
      return;
    }
    for (let at = from; at <= scores.length - left; at++) choose(at + 1, left - 1, sum + (scores[at] ?? 0));
  };
  choose(0, treatment.length, 0);
  return differences;
}
