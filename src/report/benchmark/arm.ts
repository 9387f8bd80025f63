import type { Check } from "../../domain/check.ts";
import { countsAs, type LeftOutStatus, type Run } from "../../domain/run.ts";
import type { ArmSummary } from "../../domain/benchmark.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial, Variant } from "../../domain/trial.ts";
import type { Verdict } from "../../domain/verdict.ts";
import type { ScoresByCase } from "../../stats/case-pairs.ts";
import type { Evaluated } from "../evaluated.ts";
import { causesOf } from "./causes.ts";

/** The trials of one side of a comparison. */
export interface Arm {
  readonly name: string;
  readonly variant: Variant;
  readonly evaluated: Evaluated;
  /** Of tasks only: a trigger query asks something else. */
  readonly trials: readonly Trial[];
  /** The runs that count, by case, in order of repetition. */
  readonly runs: ReadonlyMap<string, readonly CountedRun[]>;
}

/** A run that counts, with the verdicts that say something. */
export interface CountedRun {
  readonly trial: Trial;
  readonly run: Run;
  readonly verdicts: readonly Verdict[];
}

export function armOf(evaluated: Evaluated, variant: Variant): Arm {
  const tasks = new Set(evaluated.cases.filter((one) => one.kind === "task").map((one) => one.id));
  const trials = evaluated.trials
    .filter((trial) => trial.variant === variant && tasks.has(trial.caseId))
    .toSorted((a, b) => a.repetition - b.repetition);
  return { name: variant, variant, evaluated, trials, runs: runsByCase(trials, evaluated) };
}

/** A part of an arm, by another name where it needs one. */
export function partOf(arm: Arm, isIn: (trial: Trial) => boolean, name: string = arm.name): Arm {
  const trials = arm.trials.filter(isIn);
  return { ...arm, name, trials, runs: runsByCase(trials, arm.evaluated) };
}

function runsByCase(trials: readonly Trial[], { runs, gradings }: Evaluated): Arm["runs"] {
  const found = new Map<string, CountedRun[]>();
  for (const trial of trials) {
    const run = runs.get(trial.id)?.run;
    if (run === undefined || countsAs(run.outcome) === "left-out") continue;
    const verdicts = (gradings.get(trial.id)?.verdicts ?? []).filter(({ status }) => status !== "unscored");
    found.set(trial.caseId, [...(found.get(trial.caseId) ?? []), { trial, run, verdicts }]);
  }
  return found;
}

export function countedRuns({ runs }: Arm): CountedRun[] {
  return [...runs.values()].flat();
}

export function summarizeArm(arm: Arm): ArmSummary {
  const runs = arm.trials.flatMap((trial) => arm.evaluated.runs.get(trial.id)?.run ?? []);
  const counted = countedRuns(arm);
  const scored = counted.filter(({ verdicts }) => verdicts.length > 0);
  const leftOut: Partial<Record<LeftOutStatus, number>> = {};
  for (const { outcome } of runs) {
    if (countsAs(outcome) !== "left-out") continue;
    const status = outcome.status as LeftOutStatus;
    leftOut[status] = (leftOut[status] ?? 0) + 1;
  }
  return {
    arm: arm.name,
    trials: arm.trials.length,
    scored: scored.length,
    undecided: counted.length - scored.length,
    leftOut,
    notRun: arm.trials.length - runs.length,
    reused: runs.filter((run) => run.reusedFrom !== null).length,
    missing: causesOf(arm),
  };
}

/** Is an arm of this variant held to the check? */
export function holdsTo(check: Pick<Check, "appliesTo">, variant: Variant): boolean {
  return check.appliesTo === "every-variant" || (variant !== "without_skill" && variant !== "inline");
}

/** The checks of a case that both arms are held to, by id. */
export function sharedChecks(one: Case, treatment: Arm, baseline: Arm): ReadonlySet<string> {
  const shared = one.checks.filter(
    (check) => holdsTo(check, treatment.variant) && holdsTo(check, baseline.variant),
  );
  return new Set(shared.map((check) => check.id));
}

/** The share of a run's decided verdicts, of these checks, that passed; null when none is decided. */
export function passRateOf({ verdicts }: CountedRun, checks: ReadonlySet<string>): number | null {
  const mine = verdicts.filter((verdict) => checks.has(verdict.checkId));
  if (mine.length === 0) return null;
  return mine.filter((verdict) => verdict.status === "passed").length / mine.length;
}

/** What each counted run measures, by case; every case is there, and what is unknown is not. */
export function measuresByCase(
  arm: Arm,
  cases: readonly Case[],
  measure: (run: CountedRun, one: Case) => number | null,
): ScoresByCase {
  return new Map(
    cases.map((one) => [one.id, (arm.runs.get(one.id) ?? []).flatMap((run) => measure(run, one) ?? [])]),
  );
}
