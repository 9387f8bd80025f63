import { type CaseRuns, inBothArms } from "./case-runs.ts";
import { mean, sum, variance } from "./descriptive.ts";
import { normalQuantile, tQuantile } from "./distributions.ts";
import { type Interval, wilson } from "./intervals.ts";

/** An interval of the mean difference on these very cases. */
export interface TheseCasesInterval extends Interval {
  /**
   * What keeps it in step with the test: `shrunk` when the test rejects zero and the bound was moved past it, `widened`
   * when the test keeps zero and the bound was moved onto it.
   */
  readonly adjusted: "no" | "shrunk" | "widened";
}

/**
 * The interval of the mean over cases of treatment minus baseline: Wilson's bounds for each case and arm, put together by
 * the method of variance estimates recovery (MOVER). A run is one observation; the checks of a run pass and fail together
 * to a degree that is estimated over all cases, and make it worth more than one where they do not. Wilson's bounds reach
 * far on one side only at the ends of the scale, which over many cases leaves too little on the other: neither side reaches
 * less far than the spread between runs gives.
 *
 * Zero is inside exactly when `pValue` is above alpha. Where the bounds say otherwise the test decides: a rejected zero
 * moves the near bound to the lift or to one point on the lift's side, whichever is nearer to zero; a kept zero becomes
 * the bound. Null when no case has runs in both arms. Scores are between 0 and 1.
 */
export function moverWilson(
  cases: readonly CaseRuns[],
  { pValue, alpha = 0.05 }: { readonly pValue: number; readonly alpha?: number },
): TheseCasesInterval | null {
  const compared = inBothArms(cases);
  if (compared.length === 0) return null;
  const z = normalQuantile(1 - alpha / 2);
  const noise = noiseShare(compared);
  let lift = 0;
  let below = 0;
  let above = 0;
  for (const { treatment, baseline } of compared) {
    const [here, there] = [armBounds(treatment, noise, z), armBounds(baseline, noise, z)];
    lift += here.rate - there.rate;
    below += (here.rate - here.low) ** 2 + (there.high - there.rate) ** 2;
    above += (here.high - here.rate) ** 2 + (there.rate - there.low) ** 2;
  }
  const least = spreadSquared(compared, alpha);
  const count = compared.length;
  return inStep({
    lift: lift / count,
    low: Math.max(-1, (lift - Math.sqrt(Math.max(below, least))) / count),
    high: Math.min(1, (lift + Math.sqrt(Math.max(above, least))) / count),
    rejected: pValue <= alpha,
  });
}

/** One point, the finest step that is printed. */
const POINT = 0.01;

function inStep({
  lift,
  low,
  high,
  rejected,
}: Interval & { lift: number; rejected: boolean }): TheseCasesInterval {
  if (!rejected) {
    const inside = low <= 0 && high >= 0;
    return { low: Math.min(low, 0), high: Math.max(high, 0), adjusted: inside ? "no" : "widened" };
  }
  // Also a bound between zero and a point: more confidence is never a narrower interval.
  const [least, most] = [Math.min(lift, POINT), Math.max(lift, -POINT)];
  if (lift > 0 && low < least) return { low: least, high, adjusted: "shrunk" };
  if (lift < 0 && high > most) return { low, high: most, adjusted: "shrunk" };
  return { low, high, adjusted: "no" };
}

/**
 * How much runs of a case vary, as a share of what they would if each passed or failed as a whole: 1 when they do, 1/m
 * when m checks are independent. Starts from 1 and moves as far as the runs that were repeated give reason to.
 */
function noiseShare(cases: readonly CaseRuns[]): number {
  let seen = 0;
  let largest = 0;
  let freedom = 0;
  for (const runs of armsOf(cases)) {
    if (runs.length < 2) continue;
    const rate = mean(runs) ?? 0;
    seen += variance(runs) * (runs.length - 1);
    // Without bias: the rate's own variance makes rate * (1 - rate) too small on average.
    largest += (runs.length - 1) * (rate * (1 - rate) + variance(runs) / runs.length);
    freedom += runs.length - 1;
  }
  if (largest <= 0) return 1;
  const doubt = (DOUBTFUL_RUNS * largest) / freedom;
  return Math.min(1, (seen + doubt) / (largest + doubt));
}

function armsOf(cases: readonly CaseRuns[]): (readonly number[])[] {
  return cases.flatMap((one) => [one.treatment, one.baseline]);
}

/** The square of how far the total over cases may be off by the spread that was seen between runs alone; 0 where none was. */
function spreadSquared(cases: readonly CaseRuns[], alpha: number): number {
  let squares = 0;
  let freedom = 0;
  for (const runs of armsOf(cases)) {
    squares += variance(runs) / runs.length;
    freedom += runs.length - 1;
  }
  return squares === 0 ? 0 : squares * tQuantile(1 - alpha / 2, freedom) ** 2;
}

/** Weight of the starting point, in repeated runs. */
const DOUBTFUL_RUNS = 2;

function armBounds(runs: readonly number[], noise: number, z: number): Interval & { rate: number } {
  const rate = Math.min(1, Math.max(0, sum(runs) / runs.length));
  const worth = runs.length / noise;
  const { low, high } = wilson(rate * worth, worth, z) ?? { low: 0, high: 1 };
  return { rate, low, high };
}
