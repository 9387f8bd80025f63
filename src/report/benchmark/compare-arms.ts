import type { ArmCase, ArmComparison, CaseComparison } from "../../domain/benchmark.ts";
import { totalTokens } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { type CasePair, pairCases, type ScoresByCase } from "../../stats/case-pairs.ts";
import { compareArms } from "../../stats/compare.ts";
import { mean, stddev } from "../../stats/descriptive.ts";
import { compareMeasure } from "../../stats/paired-measure.ts";
import { type Arm, type CountedRun, measuresByCase, passRateOf, sharedChecks } from "./arm.ts";
import { whyNoSignal } from "./no-signal.ts";
import type { BenchOptions } from "./options.ts";

export interface Sides {
  readonly treatment: Arm;
  readonly baseline: Arm;
}

/** Two arms over the cases that both know, on the checks that both are held to. */
export function compareSides(sides: Sides, options: BenchOptions): ArmComparison {
  const measure = (of: (run: CountedRun) => number | null) => {
    const cases = commonCases(sides);
    const pairs = pairCases(
      measuresByCase(sides.treatment, cases, of),
      measuresByCase(sides.baseline, cases, of),
    );
    return compareMeasure(pairs, { alpha: options.alpha, seed: seedOf(sides) });
  };
  return {
    treatment: sides.treatment.name,
    baseline: sides.baseline.name,
    passRate: compareArms(pairsOf(sides), {
      alpha: options.alpha,
      minEffect: options.minEffect,
      seed: seedOf(sides),
    }),
    seconds: measure(({ run }) => run.durationMs / 1000),
    tokens: measure(({ run }) => totalTokens(run.usage)),
    costUsd: measure(({ run }) => run.usage.costUsd),
  };
}

/** One pair per case that has a check for both arms. */
export function pairsOf(sides: Sides): CasePair[] {
  const { treatment, baseline } = scoresOf(sides);
  return pairCases(treatment, baseline);
}

export function scoresOf(sides: Sides): { treatment: ScoresByCase; baseline: ScoresByCase } {
  const cases = commonCases(sides).filter((one) => checksOf(one, sides).size > 0);
  const score = (run: CountedRun, one: Case) => passRateOf(run, checksOf(one, sides));
  return {
    treatment: measuresByCase(sides.treatment, cases, score),
    baseline: measuresByCase(sides.baseline, cases, score),
  };
}

export function compareCases(sides: Sides): CaseComparison[] {
  const { treatment, baseline } = scoresOf(sides);
  return commonCases(sides).map((one) => {
    const here = armCase(sides.treatment, one, treatment.get(one.id) ?? []);
    const there = armCase(sides.baseline, one, baseline.get(one.id) ?? []);
    const difference =
      here.passRate === null || there.passRate === null ? null : here.passRate - there.passRate;
    const compared = { one, sides, here, there, difference, checks: checksOf(one, sides) };
    return {
      caseId: one.id,
      name: one.name,
      treatment: here,
      baseline: there,
      difference,
      noSignal: whyNoSignal(compared),
    };
  });
}

export function commonCases({ treatment, baseline }: Sides): readonly Case[] {
  const planned = new Set([...treatment.trials, ...baseline.trials].map((trial) => trial.caseId));
  return treatment.evaluated.cases.filter((one) => planned.has(one.id));
}

function checksOf(one: Case, { treatment, baseline }: Sides): ReadonlySet<string> {
  return sharedChecks(one, treatment, baseline);
}

function armCase({ trials }: Arm, { id }: Case, scores: readonly number[]): ArmCase {
  return {
    runs: trials.filter((trial) => trial.caseId === id).length,
    scored: scores.length,
    passRate: mean(scores),
    stddev: scores.length < 2 ? null : stddev(scores),
  };
}

function seedOf({ treatment }: Sides): number {
  return treatment.evaluated.iteration.seed;
}
