import type { BenchmarkVerdict, LiftComparison, TestedBounds } from "../../domain/benchmark.ts";
import { pairCases, type ScoresByCase } from "../../stats/case-pairs.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { alphaAtLook } from "../../stats/looks.ts";
import type { TheseCasesInterval } from "../../stats/mover-wilson.ts";
import { compareOnOtherCases } from "../../stats/other-cases.ts";
import { compareOnTheseCases, type TheseCases } from "../../stats/these-cases.ts";
import { liftText } from "./lift-text.ts";

export interface LiftOptions {
  /** Of a first result. */
  readonly alpha: number;
  readonly minEffect: number;
  readonly seed: number;
  /** See `lookOf`; absent: the first. */
  readonly look?: number;
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
  these: TheseCases = compareOnTheseCases(caseRunsOf(treatment, baseline), levelsOf(options)),
): LiftComparison {
  const { minEffect, seed, look = 1 } = options;
  const others = compareOnOtherCases(pairCases(treatment, baseline), { alpha: these.alpha, minEffect, seed });
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
    interval: these.interval && boundsOf(these.interval),
    alpha: these.alpha,
    ...(look > 1 && { look }),
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

function boundsOf({ low, high, adjusted }: TheseCasesInterval): TestedBounds {
  return { low, high, ...(adjusted !== "no" && { adjusted }) };
}

/** What this result must reach, and the next. */
export function levelsOf({ alpha, look = 1, ...rest }: LiftOptions) {
  return { ...rest, alpha: alphaAtLook(look, alpha), nextAlpha: alphaAtLook(look + 1, alpha) };
}

const VERDICTS: Readonly<Record<TheseCases["verdict"], BenchmarkVerdict>> = {
  better: "better",
  worse: "worse",
  "no difference that matters": "no difference seen",
  undecided: "underpowered",
  invalid: "invalid",
};
