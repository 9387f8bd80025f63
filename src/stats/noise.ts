import { type CaseRuns, countsOf, inBothArms } from "./case-runs.ts";
import { sum, variance } from "./descriptive.ts";
import { smallestWithinCase, type WithinCaseTest, withinCaseTest } from "./within-case.ts";

/** One arm against itself. */
export interface Noise {
  /** Cases with odd and even runs. */
  readonly cases: number;
  /** Odd runs against even ones: a small p-value says that the order of runs matters, which it must not. */
  readonly test: WithinCaseTest;
  /** What the clearest outcome of so many runs would have given. */
  readonly smallestPValue: number;
  /** Standard deviation of a run's score around its case's mean, pooled over cases. */
  readonly noiseSd: number;
  /** Standard error that this noise gives a lift, were the odd and the even runs its arms. */
  readonly liftError: number;
}

/** Each case's odd runs and its even ones, as the two arms. Null when no case has both. */
export function noiseOf(cases: readonly CaseRuns[], seed: number = 1): Noise | null {
  const repeated = inBothArms(cases);
  const test = withinCaseTest(repeated, seed);
  if (test === null) return null;
  let squares = 0;
  let freedom = 0;
  for (const { treatment, baseline } of repeated) {
    const scores = [...treatment, ...baseline];
    squares += variance(scores) * (scores.length - 1);
    freedom += scores.length - 1;
  }
  const noise = squares / freedom;
  const errors = repeated.map((one) => noise / one.treatment.length + noise / one.baseline.length);
  return {
    cases: repeated.length,
    test,
    smallestPValue: smallestWithinCase(repeated.map(countsOf)),
    noiseSd: Math.sqrt(noise),
    liftError: Math.sqrt(sum(errors)) / repeated.length,
  };
}
