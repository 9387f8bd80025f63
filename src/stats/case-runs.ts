import type { ScoresByCase } from "./case-pairs.ts";
import { mean } from "./descriptive.ts";

/** The scores of one case's runs in both arms, each 0 to 1 for rates. Arms need not have run equally often. */
export interface CaseRuns {
  readonly treatment: readonly number[];
  readonly baseline: readonly number[];
}

/** One entry per case of either arm, in order of first appearance. */
export function caseRunsOf(treatment: ScoresByCase, baseline: ScoresByCase): CaseRuns[] {
  const cases = new Set([...treatment.keys(), ...baseline.keys()]);
  return [...cases].map((name) => ({
    treatment: treatment.get(name) ?? [],
    baseline: baseline.get(name) ?? [],
  }));
}

/** The cases that can be compared: both arms have a scored run. */
export function inBothArms(cases: readonly CaseRuns[]): CaseRuns[] {
  for (const { treatment, baseline } of cases) {
    const isWrong = (score: number) => !Number.isFinite(score);
    const wrong = treatment.find(isWrong) ?? baseline.find(isWrong);
    if (wrong !== undefined) throw new RangeError(`a score is a finite number, not ${wrong}`);
  }
  return cases.filter(({ treatment, baseline }) => treatment.length > 0 && baseline.length > 0);
}

/** The mean over cases of each arm's mean score; null without cases. */
export function armMeans(cases: readonly CaseRuns[]): { treatment: number; baseline: number } | null {
  const treatment = mean(cases.map((one) => mean(one.treatment) ?? 0));
  const baseline = mean(cases.map((one) => mean(one.baseline) ?? 0));
  return treatment === null || baseline === null ? null : { treatment, baseline };
}

/** The runs of each arm over all cases. */
export function runCounts(cases: readonly CaseRuns[]): { treatment: number; baseline: number } {
  let treatment = 0;
  let baseline = 0;
  for (const one of cases) {
    treatment += one.treatment.length;
    baseline += one.baseline.length;
  }
  return { treatment, baseline };
}

/** How often a case was run in each arm. */
export function countsOf({ treatment, baseline }: CaseRuns): { treatment: number; baseline: number } {
  return { treatment: treatment.length, baseline: baseline.length };
}
