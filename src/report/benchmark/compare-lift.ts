import type { BenchmarkVerdict, LiftComparison } from "../../domain/benchmark.ts";
import { pairCases, type ScoresByCase } from "../../stats/case-pairs.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { compareOnOtherCases } from "../../stats/other-cases.ts";
import { compareOnTheseCases, type TheseCases } from "../../stats/these-cases.ts";
import { liftText } from "./lift-text.ts";

export interface LiftOptions {
  readonly alpha: number;
  readonly minEffect: number;
  readonly seed: number;
}

/** The scores of each run in both arms, by case. */
export interface ScoredSides {
  readonly treatment: ScoresByCase;
  readonly baseline: ScoresByCase;
}

/** Both answers. `these` is the first of them where it is known already, from the look at which a benchmark stopped. */
export function compareLift(
  { treatment, baseline }: ScoredSides,
  options: LiftOptions,
  these: TheseCases = compareOnTheseCases(caseRunsOf(treatment, baseline), options),
): LiftComparison {
  const others = compareOnOtherCases(pairCases(treatment, baseline), options);
  const answers = {
    verdict: VERDICTS[these.verdict],
    cases: these.cases,
    casesLeftOut: these.casesLeftOut,
    runs: these.runs,
    gains: others.gains,
    losses: others.losses,
    ties: others.ties,
    rates: these.rates,
    lift: these.lift,
    interval: these.interval && { low: these.interval.low, high: these.interval.high },
    alpha: these.alpha,
    minEffect: these.minEffect,
    pValue: these.pValue,
    pWorse: these.pWorse,
    smallestPValue: these.smallestPValue,
    plannedEffect: these.plannedEffect,
    runsNeeded: these.runsNeeded,
    otherCases: {
      verdict: others.verdict,
      interval: others.interval,
      pValue: others.pValue,
      improvesAtLeast: others.improvesAtLeast,
      worsensAtLeast: others.worsensAtLeast,
      casesNeeded: others.casesNeeded,
    },
  };
  return { ...answers, explanation: liftText(answers) };
}

const VERDICTS: Readonly<Record<TheseCases["verdict"], BenchmarkVerdict>> = {
  better: "better",
  worse: "worse",
  "no difference that matters": "no difference seen",
  undecided: "underpowered",
  invalid: "invalid",
};
