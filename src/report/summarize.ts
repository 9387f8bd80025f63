import { isCanary } from "../domain/canary.ts";
import { countsAs } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { CaseSummary, Gate, Summary, TrialSummary, VariantSummary } from "../domain/summary.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import { alarmsOf } from "./alarms.ts";
import { benchmarkOf } from "./benchmark/benchmark.ts";
import type { Evaluated } from "./evaluated.ts";
import { decide, type GateOptions, meanScore, meetsGate } from "./gates.ts";
import { costsOf } from "./costs.ts";
import { missingOf } from "./missing.ts";
import { rateOf } from "../stats/rate.ts";
import { sumUsage } from "../domain/usage.ts";
import { triggerAlarms } from "../triggers/validity.ts";
import { spendingOf } from "./spending.ts";
import { triggersOf } from "./triggers.ts";

/** What an iteration is seen beside. */
export interface Beside {
  /** What an `inline` arm is compared with. */
  readonly partner?: Evaluated | null;
  /** Gates that come from outside of the iteration, such as the last known good. */
  readonly gates?: readonly Gate[];
}

/** Pure: the same journals give the same summary, to the byte. */
export function summarize(
  evaluated: Evaluated,
  options: GateOptions,
  { partner = null, gates: further = [] }: Beside = {},
): Summary {
  const { iteration, runs, gradings } = evaluated;
  const rated = withoutCanary(evaluated);
  const cases = groupTrials(rated).map((group) => summarizeCase(group, rated, options));
  const triggers = triggersOf(evaluated, options);
  const missing = missingOf(evaluated);
  const graded = gradings.size === 0 ? null : triggers;
  const benchmark = benchmarkOf(evaluated, partner);
  const { verdict, gates } = decide(
    {
      cases,
      missing,
      triggers: graded,
      benchmark,
      declared: evaluated.cases,
      further,
    },
    options,
  );
  const finished = [...runs.values()].map(({ run }) => run);
  return {
    suite: iteration.suite,
    iteration: iteration.number,
    harness: iteration.harness,
    model: iteration.model,
    verdict,
    gates,
    variants: variantsOf(rated).map((variant) => summarizeVariant(variant, rated)),
    cases,
    triggers,
    benchmark,
    missing,
    ...costsOf(finished),
    spending: spendingOf(evaluated),
    judgeUsage: sumUsage([...gradings.values()].map((grading) => grading.usage)),
    alarms: [...(triggers === null ? [] : triggerAlarms(triggers)), ...alarmsOf(cases, missing)],
  };
}

/** The canary guards the rates and is not part of them. */
function withoutCanary(evaluated: Evaluated): Evaluated {
  const canary = evaluated.cases.find(isCanary);
  if (canary === undefined) return evaluated;
  return {
    ...evaluated,
    cases: evaluated.cases.filter((one) => one !== canary),
    trials: evaluated.trials.filter(({ caseId }) => caseId !== canary.id),
  };
}

interface TrialGroup {
  readonly case: Case;
  readonly variant: Variant;
  readonly trials: readonly Trial[];
}

/** In the order of the suite, variants side by side, repetitions in order. */
function groupTrials({ cases, trials }: Evaluated): TrialGroup[] {
  return cases.flatMap((one) => {
    const mine = trials.filter((trial) => trial.caseId === one.id);
    return [...new Set(mine.map((trial) => trial.variant))].sort().map((variant) => ({
      case: one,
      variant,
      trials: mine
        .filter((trial) => trial.variant === variant)
        .toSorted((a, b) => a.repetition - b.repetition),
    }));
  });
}

function summarizeCase(group: TrialGroup, evaluated: Evaluated, options: GateOptions): CaseSummary {
  const trials = group.trials.flatMap(
    (trial) => summarizeTrial(group.case, trial, { evaluated, options }) ?? [],
  );
  const judged = trials.map((trial) => trial.meetsGate).filter((met) => met !== null);
  return {
    caseId: group.case.id,
    name: group.case.name,
    kind: group.case.kind,
    variant: group.variant,
    trials,
    checks: rateOf(sum(trials, "passed"), sum(trials, "passed") + sum(trials, "failed")),
    stability: judged.length === 0 ? null : judged.filter(Boolean).length / judged.length,
  };
}

function summarizeTrial(
  one: Case,
  trial: Trial,
  { evaluated, options }: { evaluated: Evaluated; options: GateOptions },
): TrialSummary | null {
  const run = evaluated.runs.get(trial.id)?.run;
  if (run === undefined) return null;
  const counted = countsAs(run.outcome) !== "left-out";
  const verdicts = counted ? verdictsOf(trial, evaluated) : [];
  return {
    trialId: trial.id,
    outcome: run.outcome,
    passed: count(verdicts, "passed"),
    failed: count(verdicts, "failed"),
    unscored: count(verdicts, "unscored"),
    meanScore: meanScore(verdicts),
    meetsGate: counted ? meetsGate(one, verdicts, options) : null,
    durationMs: run.durationMs,
  };
}

function summarizeVariant(variant: Variant, evaluated: Evaluated): VariantSummary {
  const trials = evaluated.trials.filter((trial) => trial.variant === variant);
  const runs = trials.flatMap((trial) => evaluated.runs.get(trial.id)?.run ?? []);
  const counted = trials.filter((trial) => {
    const run = evaluated.runs.get(trial.id)?.run;
    return run !== undefined && countsAs(run.outcome) !== "left-out";
  });
  const verdicts = counted.flatMap((trial) => verdictsOf(trial, evaluated));
  const scored = verdicts.filter((verdict) => verdict.status !== "unscored");
  const layers = [...new Set(scored.map((verdict) => verdict.layer))].sort();
  return {
    variant,
    trials: trials.length,
    scored: counted.length,
    leftOut: runs.length - counted.length,
    checks: rateOf(count(scored, "passed"), scored.length),
    layers: Object.fromEntries(
      layers.map((layer) => {
        const mine = scored.filter((verdict) => verdict.layer === layer);
        return [layer, rateOf(count(mine, "passed"), mine.length)];
      }),
    ),
  };
}

function variantsOf({ trials }: Evaluated): Variant[] {
  return [...new Set(trials.map((trial) => trial.variant))].sort();
}

function verdictsOf(trial: Trial, { gradings }: Evaluated): readonly Verdict[] {
  return gradings.get(trial.id)?.verdicts ?? [];
}

function count(verdicts: readonly Verdict[], status: Verdict["status"]): number {
  return verdicts.filter((verdict) => verdict.status === status).length;
}

function sum(trials: readonly TrialSummary[], key: "passed" | "failed"): number {
  return trials.reduce((total, trial) => total + trial[key], 0);
}
