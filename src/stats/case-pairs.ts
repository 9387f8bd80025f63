import { mean } from "./descriptive.ts";

/** One case in both arms. A null arm has nothing to compare: its runs are missing or were left out. */
export interface CasePair {
  /** Mean score of the arm under test, 0 to 1 for rates. */
  readonly treatment: number | null;
  readonly baseline: number | null;
}

/** Scores of one arm's runs by case. */
export type ScoresByCase = ReadonlyMap<string, readonly number[]>;

/**
 * One pair per case, each the means over its runs. Repetitions make a case's mean steadier; they do not make more cases.
 * Cases of either arm appear, in order of first appearance.
 */
export function pairCases(treatment: ScoresByCase, baseline: ScoresByCase): CasePair[] {
  const cases = new Set([...treatment.keys(), ...baseline.keys()]);
  return [...cases].map((name) => ({
    treatment: mean(treatment.get(name) ?? []),
    baseline: mean(baseline.get(name) ?? []),
  }));
}

/** Treatment minus baseline for the cases that have both. */
export function differencesOf(pairs: readonly CasePair[]): number[] {
  return pairs.flatMap(({ treatment, baseline }) =>
    treatment === null || baseline === null ? [] : [differenceOf(treatment, baseline)],
  );
}

/** 0 when only the order of summing tells the two apart. */
export function differenceOf(treatment: number, baseline: number): number {
  const difference = treatment - baseline;
  return Math.abs(difference) <= 1e-12 * Math.max(Math.abs(treatment), Math.abs(baseline)) ? 0 : difference;
}
