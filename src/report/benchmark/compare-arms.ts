import type { ArmCase, ArmComparison, CaseComparison, LiftComparison } from "../../domain/benchmark.ts";
import { secondsOf } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { decidedChecks } from "../../domain/verdict.ts";
import { differenceOf } from "../../stats/case-pairs.ts";
import { type ComparableScores, comparableScores, type Decided } from "../../stats/comparable.ts";
import { mean, stddev } from "../../stats/descriptive.ts";
import { compareMeasure } from "../../stats/paired-measure.ts";
import { compareRatio } from "../../stats/ratio.ts";
import type { CountedRun } from "../trial-facts.ts";
import { type Arm, meanOf, sharedChecks } from "./arm.ts";
import { compareLift, type LiftOptions, type ScoredSides } from "./compare-lift.ts";
import { lookOf } from "./look-of.ts";
import { whyNoSignal } from "./no-signal.ts";
import type { BenchmarkRules } from "./options.ts";

/** Two arms, and what of them can be compared. */
export interface ArmSides {
  readonly treatment: Arm;
  readonly baseline: Arm;
  /** That either arm was to run. */
  readonly cases: readonly Case[];
  /** By case; those without a check for both arms are not in it. */
  readonly scores: ReadonlyMap<string, ComparableScores>;
  /** How many checks were decided in all runs of an arm. */
  readonly decided: { readonly treatment: number; readonly baseline: number };
}

export function sidesOf(treatment: Arm, baseline: Arm): ArmSides {
  const planned = new Set([...treatment.trialsByCase.keys(), ...baseline.trialsByCase.keys()]);
  const cases = treatment.evaluated.cases.filter((one) => planned.has(one.id));
  const scores = new Map<string, ComparableScores>();
  const decided = { treatment: 0, baseline: 0 };
  for (const one of cases) {
    const checks = sharedChecks(one, treatment, baseline);
    const [here, there] = [decidedIn(treatment, one), decidedIn(baseline, one)];
    for (const run of here) decided.treatment += run.size;
    for (const run of there) decided.baseline += run.size;
    if (checks.size > 0) scores.set(one.id, comparableScores(checks, here, there));
  }
  return { treatment, baseline, cases, scores, decided };
}

function decidedIn({ runs }: Arm, { id }: Case): Decided[] {
  return (runs.get(id) ?? []).map(({ verdicts }) => decidedChecks(verdicts));
}

/** Two arms over the cases that both know, on the checks that both are held to. `passRate` is given where it is known already. */
export function compareSides(
  sides: ArmSides,
  options: BenchmarkRules,
  passRate: LiftComparison = compareLift(scoresOf(sides), liftOptions(sides, options)),
): ArmComparison {
  const measure = (of: (run: CountedRun) => number | null) => {
    const pairs = sides.cases.map((one) => ({
      treatment: meanOf(sides.treatment, one, of),
      baseline: meanOf(sides.baseline, one, of),
    }));
    const given = { alpha: options.alpha, seed: seedOf(sides) };
    const [change, ratio] = [compareMeasure(pairs, given), compareRatio(pairs, given)];
    return change && { ...change, ratio: ratio?.ratio ?? null, ratioInterval: ratio?.interval ?? null };
  };
  return {
    treatment: sides.treatment.name,
    baseline: sides.baseline.name,
    passRate,
    seconds: measure(secondsOf),
    tokens: measure(({ tokens }) => tokens),
    costUsd: measure(({ costUsd }) => costUsd),
  };
}

/** Each result that was seen before runs were added has used some of alpha. */
export function liftOptions(sides: ArmSides, { alpha, minEffect }: BenchmarkRules): LiftOptions {
  return { alpha, minEffect, seed: seedOf(sides), look: lookOf(sides.treatment.evaluated) };
}

/** The scores of the runs of each case that has a check for both arms, over the checks that can be compared. */
export function scoresOf({ scores }: ArmSides): ScoredSides {
  return {
    treatment: new Map([...scores].map(([id, { treatment }]) => [id, treatment])),
    baseline: new Map([...scores].map(([id, { baseline }]) => [id, baseline])),
  };
}

/** How many checks of how many cases are held to by both arms and yet not compared. */
export function notCompared({ scores }: ArmSides): { checks: number; cases: number } {
  const left = [...scores.values()].map(({ checksLeftOut }) => checksLeftOut);
  return {
    checks: left.reduce((sum, count) => sum + count, 0),
    cases: left.filter((count) => count > 0).length,
  };
}

export function compareCases(sides: ArmSides): CaseComparison[] {
  return sides.cases.map((one) => {
    const scores = sides.scores.get(one.id);
    const here = armCase(sides.treatment, one, scores?.treatment ?? []);
    const there = armCase(sides.baseline, one, scores?.baseline ?? []);
    const difference =
      here.passRate === null || there.passRate === null ? null : differenceOf(here.passRate, there.passRate);
    const compared = {
      one,
      sides,
      here,
      there,
      difference,
      checks: sharedChecks(one, sides.treatment, sides.baseline),
    };
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

function armCase({ trialsByCase }: Arm, { id }: Case, scores: readonly number[]): ArmCase {
  return {
    runs: trialsByCase.get(id)?.length ?? 0,
    scored: scores.length,
    passRate: mean(scores),
    stddev: scores.length < 2 ? null : stddev(scores),
  };
}

function seedOf({ treatment }: ArmSides): number {
  return treatment.evaluated.iteration.seed;
}
