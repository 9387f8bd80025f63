import { variance } from "./descriptive.ts";
import { type WithinCaseTest, withinCaseTest } from "./within-case.ts";

/** One arm against itself. */
export interface Noise {
  /** Cases with at least two runs. */
  readonly cases: number;
  /** Odd runs against even ones: a small p-value says that the order of runs matters, which it must not. */
  readonly test: WithinCaseTest;
  /** Standard deviation of a run's score around its case's mean, pooled over cases. */
  readonly noiseSd: number;
  /** Standard error that this noise gives a lift, with as many runs per arm as there are here. */
  readonly liftError: number;
}

/** The scores of each case's runs, in the order they were made. Null when no case ran twice. */
export function noiseOf(cases: readonly (readonly number[])[], seed: number = 1): Noise | null {
  const repeated = cases.filter((scores) => scores.length >= 2);
  const test = withinCaseTest(
    repeated.map((scores) => ({
      treatment: scores.filter((_, at) => at % 2 === 0),
      baseline: scores.filter((_, at) => at % 2 === 1),
    })),
    seed,
  );
  if (test === null) return null;
  let squares = 0;
  let freedom = 0;
  for (const scores of repeated) {
    squares += variance(scores) * (scores.length - 1);
    freedom += scores.length - 1;
  }
  const noise = squares / freedom;
  const errors = repeated.reduce((total, scores) => total + (2 * noise) / scores.length, 0);
  return {
    cases: repeated.length,
    test,
    noiseSd: Math.sqrt(noise),
    liftError: Math.sqrt(errors) / repeated.length,
  };
}
