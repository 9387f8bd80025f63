import { isCanary } from "../domain/canary.ts";
import type { Estimate, Plan } from "../domain/plan.ts";
import { countsAs } from "../domain/run.ts";
import type { Iterating } from "../iteration/iterate.ts";
import { plural } from "../lib/plural.ts";
import type { Machine } from "../machine.ts";
import { summarize } from "../report/summarize.ts";
import type { GateOptions } from "../report/gates.ts";
import type { IterationState } from "../store/state.ts";
import { listText } from "./change-text.ts";
import { lastIteration } from "./earlier-iterations.ts";

/** The plan with the cases that the last iteration did not pass, and nothing else; null where it passed all, or there is none. */
export async function lastFailedPlan(
  plan: Plan,
  { options, iterating, machine }: { options: GateOptions; iterating: Iterating; machine: Machine },
): Promise<Plan | null> {
  const { name, cases } = plan.suite;
  const last = await lastIteration(plan, iterating);
  if (last === null) {
    machine.note(`${name}: there is no earlier iteration, so it is not known what failed`);
    return null;
  }
  const failed = new Set(notPassed(last.state, options));
  const wanted = cases.filter((one) => failed.has(one.id) && !isCanary(one));
  if (wanted.length === 0) {
    machine.note(`${name}: no case failed in iteration-${last.number}`);
    return null;
  }
  machine.note(
    `${name}: running ${plural(wanted.length, "case")} that iteration-${last.number} did not pass (${listText(wanted.map(({ id }) => id))})`,
  );
  const asks = wanted.some(({ kind }) => kind === "trigger");
  const kept = new Set([...failed, ...cases.filter((one) => asks && isCanary(one)).map(({ id }) => id)]);
  const trials = plan.trials.filter(({ caseId }) => kept.has(caseId));
  if (trials.length === 0) return null;
  return { ...plan, trials, estimate: shareOf(plan.estimate, trials.length / plan.trials.length) };
}

/** Ids of cases that missed their gate, or of which a trial or a check has no result. */
function notPassed(state: IterationState, options: GateOptions): readonly string[] {
  const { iteration, trials, runs } = state;
  if (iteration === null) return [];
  const { gates, cases, triggers } = summarize({ ...state, iteration }, options);
  const missed = gates.flatMap(({ caseId, met }) => (met || caseId === null ? [] : [caseId]));
  const unscored = [
    ...cases.filter((one) => one.trials.some(({ unscored }) => unscored > 0)).map(({ caseId }) => caseId),
    ...(triggers?.queries ?? []).filter(({ status }) => status === "unscored").map(({ caseId }) => caseId),
  ];
  const missing = trials.filter(({ id }) => {
    const outcome = runs.get(id)?.run.outcome;
    return outcome === undefined || countsAs(outcome) === "left-out";
  });
  return [...missed, ...unscored, ...missing.map(({ caseId }) => caseId)];
}

function shareOf({ basis, ...figures }: Estimate, share: number): Estimate {
  const part = (figure: number | null): number | null => (figure === null ? null : figure * share);
  return {
    runs: Math.round(figures.runs * share),
    repeats: Math.round(figures.repeats * share),
    minutes: part(figures.minutes),
    inputTokens: part(figures.inputTokens),
    outputTokens: part(figures.outputTokens),
    costUsd: part(figures.costUsd),
    basis,
  };
}
