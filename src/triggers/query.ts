import type { TriggerClaim } from "../domain/check.ts";
import type { Case } from "../domain/suite.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { QuerySummary } from "../domain/triggers.ts";
import { firedIn, isValid, othersIn, type ProbeRun } from "./probe.ts";
import { rateOf } from "../stats/rate.ts";

export interface QueryContext {
  readonly threshold: number;
  /** The skill under test. */
  readonly own: string;
}

/** What the valid runs of one query say; without any it is unscored, never passed. */
export function summarizeQuery(one: Case, probes: readonly ProbeRun[], context: QueryContext): QuerySummary {
  const claim = claimOf(one);
  const valid = probes.filter(isValid);
  const fired = rateOf(valid.filter(firedIn).length, valid.length);
  const others = tally(valid.flatMap(othersIn));
  const head = {
    caseId: one.id,
    query: queryText(one),
    shouldTrigger: claim.expected,
    rival: rivalOf(claim, context.own),
    fired,
    leftOut: tally(probes.filter((probe) => !isValid(probe)).map(({ run }) => run.outcome.status)),
    others,
  };
  if (fired.rate === null) return { ...head, status: "unscored", reason: "no run of it could be counted" };
  const problems = problemsOf(claim, head, context);
  return problems.length === 0
    ? { ...head, status: "passed", reason: firedText(head, context.threshold) }
    : { ...head, status: "failed", reason: problems.join("; ") };
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

function problemsOf(
  claim: TriggerClaim,
  head: Pick<QuerySummary, "fired" | "others" | "rival">,
  { threshold }: QueryContext,
): string[] {
  const { fired, others, rival } = head;
  const reaches = (name: string) => countOf(others, name) / fired.total >= threshold;
  const text = (name: string, should: string) =>
    `${name} ${should}, but fired in ${countOf(others, name)} of ${fired.total} runs`;
  const problems: string[] = [];
  // Where another skill must answer a query that is to fire, the one under test is not what is asked about.
  const isAsked = !claim.expected || rival === null;
  if (isAsked && (fired.rate ?? 0) >= threshold !== claim.expected) problems.push(firedText(head, threshold));
  if (rival !== null && !reaches(rival)) problems.push(text(rival, "should answer"));
  problems.push(...claim.forbidden.filter(reaches).map((name) => text(name, "must stay silent")));
  return problems;
}

function countOf(others: Readonly<Record<string, number>>, skill: string): number {
  return Object.entries(others)
    .filter(([name]) => isSameSkill(name, skill))
    .reduce((sum, [, runs]) => sum + runs, 0);
}

function firedText({ fired }: Pick<QuerySummary, "fired">, threshold: number): string {
  return `fired in ${fired.passed} of ${fired.total} runs, threshold ${threshold}`;
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
