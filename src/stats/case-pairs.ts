import { mean, variance } from "./descriptive.ts";

/** One case in both arms. A null arm has nothing to compare: its runs are missing or were left out. */
export interface CasePair {
  /** Mean score of the arm under test, 0 to 1 for rates. */
  readonly treatment: number | null;
  readonly baseline: number | null;
  /** Runs per arm that the means rest on, the smaller number of the two. */
  readonly runs: number;
  /** How much of the difference's variance the runs' own noise makes up; null when an arm ran only once. */
  readonly noise: number | null;
}

/** Scores of one arm's runs by case. */
export type ScoresByCase = ReadonlyMap<string, readonly number[]>;

/**
 * One pair per case, each the means over its runs. Repetitions make a case's mean steadier; they do not make more cases.
 * Cases of either arm appear, in order of first appearance.
 */
export function pairCases(treatment: ScoresByCase, baseline: ScoresByCase): CasePair[] {
  const cases = new Set([...treatment.keys(), ...baseline.keys()]);
  return [...cases].map((name) => pairOf(treatment.get(name) ?? [], baseline.get(name) ?? []));
}

/** Treatment minus baseline for the cases that have both; 0 when only the order of summing tells the means apart. */
export function differencesOf(pairs: readonly CasePair[]): number[] {
  return pairs.flatMap(({ treatment, baseline }) =>
    treatment === null || baseline === null ? [] : [differenceOf(treatment, baseline)],
  );
}

function differenceOf(treatment: number, baseline: number): number {
  const difference = treatment - baseline;
  return Math.abs(difference) <= 1e-12 * Math.max(Math.abs(treatment), Math.abs(baseline)) ? 0 : difference;
}

function pairOf(treatment: readonly number[], baseline: readonly number[]): CasePair {
  const runs = Math.min(treatment.length, baseline.length);
  return {
    treatment: mean(treatment),
    baseline: mean(baseline),
    runs,
    noise: runs < 2 ? null : variance(treatment) / treatment.length + variance(baseline) / baseline.length,
  };
}
