import { isCanary } from "../domain/canary.ts";
import type { Layer } from "../domain/check.ts";
import type { Case } from "../domain/suite.ts";
import type { CaseSummary, Gate, Summary, TrialSummary, VariantSummary } from "../domain/summary.ts";
import type { Variant } from "../domain/trial.ts";
import { isRepeat } from "../domain/triggers.ts";
import { alarmsOf, isOfCases } from "./alarms.ts";
import { decisionWith } from "./benchmark/decision.ts";
import { benchmarkOf } from "./benchmark/benchmark.ts";
import type { Evaluated } from "./evaluated.ts";
import { boundsOf, meanScore } from "./bounds.ts";
import { decide, type GateOptions } from "./gates.ts";
import { allRemarks } from "./remarks.ts";
import { costsOf } from "./costs.ts";
import { missingOf } from "./missing.ts";
import { groupBy } from "../lib/group-by.ts";
import { type Cluster, rateByCluster } from "../stats/rate-by-cluster.ts";
import { countRuns } from "./run-counts.ts";
import { sumUsage } from "../domain/usage.ts";
import { triggerAlarms } from "../triggers/validity.ts";
import { spendingOf } from "./spending.ts";
import { factsOf, isCounted, type TrialFacts } from "./trial-facts.ts";
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
  const facts = factsOf(rated);
  const cases = groupTrials(rated, facts).map((group) => summarizeCase(group, iteration, options));
  const triggers = triggersOf(evaluated, options);
  const missing = missingOf(evaluated);
  const graded = gradings.size === 0 ? null : triggers;
  const first = withoutRepeats(rated, facts);
  const variants = variantsOf(rated).map((variant) => summarizeVariant(variant, first, rated));
  // Falling behind an earlier result shows that the cases are within reach.
  const isBehind = further.some(({ met }) => !met);
  const alarms = alarmsOf({ variants, cases, missing, skill: iteration.skill }).filter(
    ({ kind }) => kind !== "out of reach" || !isBehind,
  );
  const benchmark = benchmarkOf(evaluated, { partner, alarms, facts });
  const { verdict, gates } = decide(
    {
      cases,
      missing,
      triggers: graded,
      benchmark,
      declared: evaluated.cases,
      isBroken: alarms.some((alarm) => !isOfCases(alarm) && alarm.kind !== "never loaded"),
      iteration,
      further,
    },
    { ...options, strict: options.strict ?? iteration.options["strict"] === true },
  );
  return {
    suite: iteration.suite,
    iteration: iteration.number,
    harness: iteration.harness,
    model: iteration.model,
    verdict,
    gates,
    trials: rated.trials.length,
    variants,
    cases,
    triggers,
    benchmark: benchmark && {
      ...benchmark,
      decision: decisionWith(benchmark.decision, { verdict, gates }),
      notes: [...further.map(({ name, detail }) => `${name}: ${detail}`), ...benchmark.notes],
    },
    missing,
    ...costsOf(Array.from(runs.values(), ({ run }) => run)),
    spending: spendingOf(evaluated),
    judgeUsage: sumUsage(Array.from(gradings.values(), ({ usage }) => usage)),
    remarks: allRemarks(rated),
    alarms: [
      ...(triggers === null ? [] : triggerAlarms(triggers)),
      ...(benchmark?.alarms ?? alarms.map(({ text }) => text)),
    ],
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

/** Rates are over the runs that were planned from the start: repeats only settle their query. */
function withoutRepeats({ iteration, cases }: Evaluated, facts: readonly TrialFacts[]): TrialFacts[] {
  const byId = new Map(cases.map((one) => [one.id, one]));
  return facts.filter(({ trial }) => {
    const one = byId.get(trial.caseId);
    return one === undefined || !isRepeat(trial, one, iteration.options);
  });
}

interface TrialGroup {
  readonly case: Case;
  readonly variant: Variant;
  readonly trials: readonly TrialFacts[];
}

/** In the order of the suite, variants side by side, repetitions in order. */
function groupTrials({ cases }: Evaluated, facts: readonly TrialFacts[]): TrialGroup[] {
  const byCase = groupBy(facts, ({ trial }) => trial.caseId);
  return cases.flatMap((one) => {
    const byVariant = groupBy(byCase.get(one.id) ?? [], ({ trial }) => trial.variant);
    return [...byVariant.keys()].sort().map((variant) => ({
      case: one,
      variant,
      trials: (byVariant.get(variant) ?? []).sort((a, b) => a.trial.repetition - b.trial.repetition),
    }));
  });
}

function summarizeCase(
  group: TrialGroup,
  iteration: Evaluated["iteration"],
  options: GateOptions,
): CaseSummary {
  const trials: TrialSummary[] = [];
  const first: TrialSummary[] = [];
  for (const facts of group.trials) {
    const trial = summarizeTrial(group.case, facts, options);
    if (trial === null) continue;
    trials.push(trial);
    if (!isRepeat(facts.trial, group.case, iteration.options)) first.push(trial);
  }
  const judged = first.map((trial) => trial.meetsGate).filter((met) => met !== null);
  return {
    caseId: group.case.id,
    name: group.case.name,
    kind: group.case.kind,
    variant: group.variant,
    trials,
    checks: rateByCluster(first.map(({ passed, failed }) => ({ passed, total: passed + failed }))),
    stability: judged.length === 0 ? null : judged.filter(Boolean).length / judged.length,
  };
}

function summarizeTrial(one: Case, facts: TrialFacts, { minPassRate }: GateOptions): TrialSummary | null {
  const { trial, outcome, durationMs, given, passed, failed, unscored } = facts;
  if (outcome === null) return null;
  const bounds = isCounted(facts) ? boundsOf(one, facts.verdicts, minPassRate) : null;
  return {
    trialId: trial.id,
    outcome,
    passed,
    failed,
    unscored,
    meanScore: isCounted(facts) ? meanScore(given) : null,
    meetsGate: bounds?.every(({ met }) => met) ?? null,
    bounds: bounds ?? [],
    durationMs,
  };
}

/** A query asks something else than a task, so that the two are never pooled. */
function summarizeVariant(
  variant: Variant,
  facts: readonly TrialFacts[],
  { cases }: Evaluated,
): VariantSummary {
  const mine = facts.filter(({ trial }) => trial.variant === variant);
  const tasks = new Set(cases.filter(({ kind }) => kind === "task").map(({ id }) => id));
  const ofTasks = mine.filter(({ trial }) => tasks.has(trial.caseId));
  const trials = ofTasks.length > 0 && ofTasks.length < mine.length ? ofTasks : mine;
  const over = ofTasks.length > 0 ? "task" : "trigger";
  const counts = countRuns(trials, variant);
  const scored = clustersOf(trials);
  const layers = layersOf(mine);
  const ofLayer = (layer: Layer) =>
    layers.length === 1 && trials === mine ? scored : clustersOf(mine, layer);
  return {
    variant,
    over,
    trials: trials.length,
    cases: scored.length,
    ...counts,
    // A query is there to find out whether the skill is loaded; it is not by that name in a probe.
    loaded: over === "task" ? counts.loaded : null,
    checks: rateByCluster(scored),
    layers: Object.fromEntries(layers.map((layer) => [layer, rateByCluster(ofLayer(layer))])),
  };
}

function layersOf(facts: readonly TrialFacts[]): Layer[] {
  const layers = new Set<Layer>();
  for (const { verdicts } of facts) for (const { layer } of verdicts) layers.add(layer);
  return [...layers].sort();
}

/** The scored checks of each case that has any, in order of first appearance. */
function clustersOf(facts: readonly TrialFacts[], only: Layer | null = null): Cluster[] {
  const byCase = new Map<string, { passed: number; total: number }>();
  for (const { trial, verdicts } of facts) {
    for (const { layer, status } of verdicts) {
      if (only !== null && layer !== only) continue;
      const cluster = byCase.get(trial.caseId) ?? { passed: 0, total: 0 };
      if (cluster.total === 0) byCase.set(trial.caseId, cluster);
      cluster.total++;
      if (status === "passed") cluster.passed++;
    }
  }
  return [...byCase.values()];
}

function variantsOf({ trials }: Evaluated): Variant[] {
  return [...new Set(trials.map((trial) => trial.variant))].sort();
}
