import type { TriggerClaim } from "../domain/check.ts";
import type { Case } from "../domain/suite.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { QuerySummary } from "../domain/triggers.ts";
import { firedIn, isValid, othersIn, type ProbeRun } from "./probe.ts";
import { rateOf } from "../stats/rate.ts";
import { runsToSettle, settleQuery } from "../stats/settle.ts";

export interface QueryContext {
  readonly threshold: number;
  /** The skill under test. */
  readonly own: string;
  /** Runs that every query has; later ones are repeats of what was in doubt. */
  readonly firstRuns: number;
}

/** A probe with its place among the runs of its query, from 1. */
export interface QueryRun extends ProbeRun {
  readonly repetition: number;
}

/** What the valid runs of one query say; without any it is unscored, never passed. */
export function summarizeQuery(one: Case, probes: readonly QueryRun[], context: QueryContext): QuerySummary {
  const claim = claimOf(one);
  const valid = probes.filter(isValid);
  const first = valid.filter(({ repetition }) => repetition <= context.firstRuns);
  const repeated = { fired: valid.filter(firedIn).length, runs: valid.length };
  const head = {
    caseId: one.id,
    query: queryText(one),
    shouldTrigger: claim.expected,
    rival: rivalOf(claim, context.own),
    fired: rateOf(first.filter(firedIn).length, first.length),
    repeated,
    leftOut: tally(probes.filter((probe) => !isValid(probe)).map(({ run }) => run.outcome.status)),
    others: tally(first.flatMap(othersIn)),
  };
  if (valid.length === 0) {
    const reason = "no run of it could be counted";
    return { ...head, status: "unscored", leaning: null, moreRuns: null, reason };
  }
  const demands = demandsOf(claim, { own: context.own, valid });
  return { ...head, ...settle(demands, { ...repeated, threshold: context.threshold }) };
}

/** The one check of a trigger case. */
export function claimOf(one: Case): TriggerClaim {
  const claim = one.checks.find((check) => check.kind === "fires");
  if (claim?.kind === "fires") return claim;
  throw new Error(`the trigger case ${one.id} does not say whether the skill fires`);
}

function queryText({ prompt }: Case): string {
  return prompt.kind === "turns" ? prompt.turns.join("\n") : prompt.args;
}

/** The skill that must answer in place of the one under test. */
export function rivalOf({ skill }: TriggerClaim, own: string): string | null {
  return skill === null || isSameSkill(own, skill) ? null : skill;
}

/** One skill that must fire on a query, or stay silent, and in how many runs it fired. */
interface Demand {
  /** Null: the skill under test. */
  readonly skill: string | null;
  readonly shouldFire: boolean;
  readonly fired: number;
}

function demandsOf(
  claim: TriggerClaim,
  { own, valid }: { own: string; valid: readonly ProbeRun[] },
): readonly Demand[] {
  const rival = rivalOf(claim, own);
  const others = tally(valid.flatMap(othersIn));
  const other = (skill: string, shouldFire: boolean) => ({
    skill,
    shouldFire,
    fired: countOf(others, skill),
  });
  // Where another skill must answer a query that is to fire, the one under test is not what is asked about.
  const isAsked = !claim.expected || rival === null;
  return [
    ...(isAsked ? [{ skill: null, shouldFire: claim.expected, fired: valid.filter(firedIn).length }] : []),
    ...(rival === null ? [] : [other(rival, true)]),
    ...claim.forbidden.map((skill) => other(skill, false)),
  ];
}

/** Passed when every demand is met, failed as soon as one is not, unsettled as long as chance may have decided one. */
function settle(
  demands: readonly Demand[],
  { fired, runs, threshold }: { fired: number; runs: number; threshold: number },
): Pick<QuerySummary, "status" | "leaning" | "moreRuns" | "reason"> {
  const found = demands.map((demand) => ({
    demand,
    ...settleQuery({ ...demand, runs, threshold }),
  }));
  const having = (status: QuerySummary["status"]) => found.filter((one) => one.status === status);
  const own = `fired in ${fired} of ${runs} runs, threshold ${threshold}`;
  const text = ({ demand: { skill, shouldFire, fired: times } }: (typeof found)[number]) =>
    skill === null
      ? own
      : `${skill} ${shouldFire ? "should answer" : "must stay silent"}, but fired in ${times} of ${runs} runs`;
  const [failed, unsettled] = [having("failed"), having("unsettled")];
  const leaning = found.every((one) => one.leaning === "passed") ? "passed" : "failed";
  if (failed.length > 0)
    return { status: "failed", leaning, moreRuns: null, reason: failed.map(text).join("; ") };
  if (unsettled.length === 0) return { status: "passed", leaning, moreRuns: null, reason: own };
  const needed = unsettled.flatMap(
    ({ demand }) => runsToSettle({ fired: demand.fired, runs, threshold }, MOST_RUNS) ?? [],
  );
  const moreRuns = needed.length === 0 ? null : Math.min(...needed) - runs;
  return {
    status: "unsettled",
    leaning,
    moreRuns,
    reason: `${[...new Set(unsettled.map(text))].join("; ")}: ${moreText(moreRuns)}`,
  };
}

/** More is not a suggestion. */
const MOST_RUNS = 50;

function moreText(moreRuns: number | null): string {
  if (moreRuns === null) return "too close to the threshold for any sensible number of runs";
  return `this may be chance; ${moreRuns} more could settle it`;
}

function countOf(others: Readonly<Record<string, number>>, skill: string): number {
  return Object.entries(others)
    .filter(([name]) => isSameSkill(name, skill))
    .reduce((sum, [, runs]) => sum + runs, 0);
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
