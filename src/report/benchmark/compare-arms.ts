import type { ArmCase, ArmComparison, CaseComparison } from "../../domain/benchmark.ts";
import { totalTokens } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { pairCases } from "../../stats/case-pairs.ts";
import { mean, stddev } from "../../stats/descriptive.ts";
import { compareMeasure } from "../../stats/paired-measure.ts";
import { compareRatio } from "../../stats/ratio.ts";
import { type Arm, type CountedRun, measuresByCase, sharedChecks } from "./arm.ts";
import { comparableScores } from "./comparable.ts";
import { compareLift, type ScoredSides } from "./compare-lift.ts";
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
    const given = { alpha: options.alpha, seed: seedOf(sides) };
    const [change, ratio] = [compareMeasure(pairs, given), compareRatio(pairs, given)];
    return change && { ...change, ratio: ratio?.ratio ?? null, ratioInterval: ratio?.interval ?? null };
  };
  return {
    treatment: sides.treatment.name,
    baseline: sides.baseline.name,
    passRate: compareLift(scoresOf(sides), liftOptions(sides, options)),
    seconds: measure(({ run }) => run.durationMs / 1000),
    tokens: measure(({ run }) => totalTokens(run.usage)),
    costUsd: measure(({ run }) => run.usage.costUsd),
  };
}

export function liftOptions(sides: Sides, { alpha, minEffect }: BenchOptions) {
  return { alpha, minEffect, seed: seedOf(sides) };
}

/** The scores of the runs of each case that has a check for both arms, over the checks that can be compared. */
export function scoresOf(sides: Sides): ScoredSides {
  const treatment = new Map<string, readonly number[]>();
  const baseline = new Map<string, readonly number[]>();
  for (const one of commonCases(sides)) {
    const scores = comparedIn(one, sides);
    if (scores === null) continue;
    treatment.set(one.id, scores.treatment);
    baseline.set(one.id, scores.baseline);
  }
  return { treatment, baseline };
}

/** How many checks of how many cases are held to by both arms and yet not compared. */
export function notCompared(sides: Sides): { checks: number; cases: number } {
  const left = commonCases(sides).map((one) => comparedIn(one, sides)?.checksLeftOut ?? 0);
  return {
    checks: left.reduce((sum, count) => sum + count, 0),
    cases: left.filter((count) => count > 0).length,
  };
}

function comparedIn(one: Case, sides: Sides) {
  const checks = checksOf(one, sides);
  if (checks.size === 0) return null;
  const runs = (arm: Arm) => arm.runs.get(one.id) ?? [];
  return comparableScores(checks, runs(sides.treatment), runs(sides.baseline));
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
