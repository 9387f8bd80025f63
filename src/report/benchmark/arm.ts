import type { Check } from "../../domain/check.ts";
import type { ArmSummary } from "../../domain/benchmark.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial, Variant } from "../../domain/trial.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { Evaluated } from "../evaluated.ts";
import { countRuns, hasSkill } from "../run-counts.ts";
import { type CountedRun, factsOf, isCounted, type TrialFacts } from "../trial-facts.ts";
import { causesOf } from "./causes.ts";

/** The trials of one side of a comparison. */
export interface Arm {
  readonly name: string;
  readonly variant: Variant;
  readonly evaluated: Evaluated;
  /** Of tasks only: a trigger query asks something else. In order of repetition. */
  readonly trials: readonly TrialFacts[];
  readonly trialsByCase: ReadonlyMap<string, readonly TrialFacts[]>;
  /** The runs that count, by case. */
  readonly runs: ReadonlyMap<string, readonly CountedRun[]>;
}

/** `facts` are those of the iteration, where they are known already. */
export function armOf(
  evaluated: Evaluated,
  variant: Variant,
  facts: readonly TrialFacts[] = factsOf(evaluated),
): Arm {
  const tasks = new Set(evaluated.cases.filter((one) => one.kind === "task").map((one) => one.id));
  const trials = facts
    .filter(({ trial }) => trial.variant === variant && tasks.has(trial.caseId))
    .sort((a, b) => a.trial.repetition - b.trial.repetition);
  return { name: variant, variant, evaluated, ...byCase(trials) };
}

/** A part of an arm, by another name where it needs one. */
export function partOf(arm: Arm, isIn: (trial: Trial) => boolean, name: string = arm.name): Arm {
  return { ...arm, name, ...byCase(arm.trials.filter(({ trial }) => isIn(trial))) };
}

function byCase(trials: readonly TrialFacts[]): Pick<Arm, "trials" | "trialsByCase" | "runs"> {
  const caseOf = ({ trial }: TrialFacts) => trial.caseId;
  const trialsByCase = groupBy(trials, caseOf);
  return {
    trials,
    trialsByCase,
    runs: trials.every(isCounted) ? groupBy(trials, caseOf) : groupBy(trials.filter(isCounted), caseOf),
  };
}

export function countedRuns({ runs }: Arm): CountedRun[] {
  return [...runs.values()].flat();
}

/** What an arm comes to by itself; `beside` is what it comes to in a comparison. */
export function summarizeArm(arm: Arm, beside: Partial<ArmSummary> = {}): ArmSummary {
  const { trials } = arm;
  const counts = countRuns(trials, arm.variant);
  const scored = trials.filter(({ verdicts }) => verdicts.length > 0).length;
  return {
    arm: arm.name,
    trials: trials.length,
    scored,
    undecided: counts.counted - scored,
    ...counts,
    reused: trials.filter(({ isReused }) => isReused).length,
    missing: causesOf(arm),
    compared: null,
    ...beside,
  };
}

/** Is an arm of this variant held to the check? */
export function holdsTo(check: Pick<Check, "appliesTo">, variant: Variant): boolean {
  return check.appliesTo === "every-variant" || hasSkill(variant);
}

/** The checks of a case that both arms are held to, by id. */
export function sharedChecks(one: Case, treatment: Arm, baseline: Arm): ReadonlySet<string> {
  const shared = one.checks.filter(
    (check) => holdsTo(check, treatment.variant) && holdsTo(check, baseline.variant),
  );
  return new Set(shared.map((check) => check.id));
}

/** The mean over the counted runs of a case of what is known of them; null where nothing is. */
export function meanOf(
  { runs }: Arm,
  { id }: Case,
  measure: (run: CountedRun) => number | null,
): number | null {
  let [total, known] = [0, 0];
  for (const run of runs.get(id) ?? []) {
    const value = measure(run);
    if (value === null) continue;
    total += value;
    known++;
  }
  return known === 0 ? null : total / known;
}
