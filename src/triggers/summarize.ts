import { isCanary, type ProbedSkill, probedSkillOf } from "../domain/canary.ts";
import type { Run } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { QuerySummary, TriggerSummary } from "../domain/triggers.ts";
import type { Trial } from "../domain/trial.ts";
import { summarizeAdaptive } from "./repeats.ts";
import { summarizeCanary } from "./canary.ts";
import { confusionOf } from "./confusion.ts";
import { isValid, probeName } from "./probe.ts";
import { type QueryRun, summarizeQuery } from "./query.ts";
import { rateOf } from "../stats/rate.ts";
import { validityOf } from "./validity.ts";

/** What an iteration holds about its trigger queries. */
export interface ProbedIteration {
  /** Names the skill where no canary does. */
  readonly suite: string;
  readonly cases: readonly Case[];
  readonly trials: readonly Trial[];
  readonly runs: ReadonlyMap<string, { readonly run: Run }>;
}

export interface TriggerOptions {
  readonly threshold: number;
  /** Runs that every query has: rates are over these, so that repeating what is in doubt does not move them. */
  readonly firstRuns: number;
  /** The runs per query that `--adaptive` may spend less of; null: it is off. */
  readonly adaptiveRuns: number | null;
}

/** Null when the iteration holds no trigger query. Pure: the same runs give the same summary. */
export function summarizeTriggers(
  iteration: ProbedIteration,
  { threshold, firstRuns, adaptiveRuns }: TriggerOptions,
): TriggerSummary | null {
  if (iteration.cases.every(({ kind }) => kind !== "trigger")) return null;
  const planned = new Set(iteration.trials.map(({ caseId }) => caseId));
  const probed = probedSkillOf(iteration.cases);
  const skill = probed?.name ?? iteration.suite;
  const asked = iteration.cases
    .filter((one) => one.kind === "trigger" && !isCanary(one) && planned.has(one.id))
    .map((one) => ({ one, probes: probesOf(one, iteration, skill) }));
  if (asked.length === 0) return null;
  const queries = asked.map(({ one, probes }) =>
    summarizeQuery(one, probes, { threshold, own: skill, firstRuns }),
  );
  const canary = canaryOf(iteration, probed, skill);
  const scored = queries.filter(({ fired }) => fired.total > 0);
  const firing = scored.filter((query) => fires(query, threshold));
  const wanted = scored.filter(({ shouldTrigger }) => shouldTrigger);
  const hits = firing.filter(({ shouldTrigger }) => shouldTrigger).length;
  return {
    skill,
    description: probed?.description ?? null,
    threshold,
    validity: validityOf(queries, canary),
    canary,
    queries,
    precision: rateOf(hits, firing.length),
    recall: rateOf(hits, wanted.length),
    accuracy: rateOf(
      scored.filter((query) => fires(query, threshold) === query.shouldTrigger).length,
      scored.length,
    ),
    confusion: confusionOf(
      asked.map(({ one, probes }) => ({
        one,
        probes: probes.filter((probe) => isValid(probe) && probe.repetition <= firstRuns),
      })),
      skill,
    ),
    adaptive:
      adaptiveRuns === null
        ? null
        : summarizeAdaptive(
            asked.map(({ probes }) => probes.map(({ run }) => run)),
            adaptiveRuns,
          ),
  };
}

/** A rate exactly at the threshold fires. */
export function fires({ fired }: Pick<QuerySummary, "fired">, threshold: number): boolean {
  return fired.rate !== null && fired.rate >= threshold;
}

function canaryOf(iteration: ProbedIteration, probed: ProbedSkill | null, skill: string) {
  const canary = iteration.cases.find(isCanary);
  return summarizeCanary(canary === undefined ? [] : probesOf(canary, iteration, skill), probed);
}

function probesOf(one: Case, { trials, runs }: ProbedIteration, skill: string): readonly QueryRun[] {
  return trials
    .filter((trial) => trial.caseId === one.id)
    .flatMap((trial) => {
      const run = runs.get(trial.id)?.run;
      const { repetition } = trial;
      return run === undefined ? [] : [{ run, probe: probeName(skill, trial), repetition }];
    });
}
