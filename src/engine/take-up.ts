import type { Plan } from "../domain/plan.ts";
import { UserError } from "../domain/user-error.ts";
import type { Iterating } from "../iteration/iterate.ts";
import { resumingOf } from "../iteration/resuming.ts";
import { retryPlan } from "../iteration/retry.ts";
import { remainingTrials } from "../store/state.ts";
import { plural } from "../lib/plural.ts";
import type { Machine } from "../machine.ts";
import { affectedPlan } from "./affected-plan.ts";
import { refuseFewerRuns } from "./fewer-runs.ts";
import { lastFailedPlan } from "./last-failed-plan.ts";
import { lastIteration, thenOf } from "./earlier-iterations.ts";
import { agreeToRepeat, groupsOf, lostGroups, resumeNotes } from "./repeated-runs.ts";
import type { RunOptions } from "./run-options.ts";
import { refuseTrackedResults } from "./tracked-results.ts";

export interface TakingUp {
  readonly options: RunOptions;
  readonly lastFailed: boolean;
  readonly iterating: Iterating;
  readonly machine: Machine;
}

/**
 * Decides what of earlier iterations each plan goes on with, and says so: the plans to work through, each in the place of the
 * one that was given; null where nothing is left of it. Asks before runs that were paid for are made again; throws a UserError
 * where nobody agrees. Nothing is written.
 */
export async function takeUpEarlier(
  plans: readonly Plan[],
  work: TakingUp,
): Promise<readonly (Plan | null)[]> {
  const { resume, retryErrors, affected } = work.options;
  const asked = Object.entries({
    "--retry-errors": retryErrors,
    "--affected": affected,
    "--last-failed": work.lastFailed,
    "--resume": resume,
  }).flatMap(([flag, isAsked]) => (isAsked ? [flag as Taking] : []));
  const [one, other] = asked;
  if (one !== undefined && other !== undefined) throw contradiction(one, other);
  if (one !== undefined)
    await refuseTrackedResults(work.iterating.results, { machine: work.machine, flag: one });
  const takeUp = one === undefined ? async (plan: Plan) => plan : TAKE_UP[one];
  const taken: (Plan | null)[] = [];
  for (const plan of plans) taken.push(plan.trials.length === 0 ? null : await takeUp(plan, work));
  const left = taken.filter((plan) => plan !== null);
  if (left.length === 0 && plans.some(({ trials }) => trials.length > 0)) {
    if (retryErrors) throw nothingToRetry();
    if (work.lastFailed) throw nothingFailed();
  }
  if (!resume) return taken;
  const finished = await agreeToResume(left, work);
  return taken.map((plan) => (plan === null ? null : { ...plan, finished: finished.get(plan) ?? [] }));
}

type Taking = "--retry-errors" | "--affected" | "--last-failed" | "--resume";

const TAKE_UP: Readonly<Record<Taking, (plan: Plan, work: TakingUp) => Promise<Plan | null>>> = {
  "--retry-errors": retriedPlan,
  "--affected": affectedPlan,
  "--last-failed": lastFailedPlan,
  "--resume": async (plan) => plan,
};

function contradiction(one: Taking, other: Taking): UserError {
  return new UserError("run/contradiction", `${one} and ${other} cannot be combined`, {
    hint: `${one} ${MEANING[one]}, ${other} ${MEANING[other]}; use only one of the two`,
  });
}

const MEANING: Readonly<Record<Taking, string>> = {
  "--retry-errors": "runs only what the last iteration left out",
  "--affected": "starts a new iteration and runs what your changes can affect",
  "--last-failed": "starts a new iteration with the cases that failed in the last one",
  "--resume": "continues the last iteration",
};

function nothingToRetry(): UserError {
  return new UserError("run/nothing-to-retry", "there is no earlier iteration to retry", {
    hint: "run once without --retry-errors, with the same agent and model",
  });
}

function nothingFailed(): UserError {
  return new UserError("run/nothing-failed", "no case failed in the last iteration, so nothing runs", {
    hint: "run without --last-failed to run all cases",
  });
}

/** What the last iteration left out; null where there is none. */
async function retriedPlan(plan: Plan, { options, iterating, machine }: TakingUp): Promise<Plan | null> {
  const last = await lastIteration(plan, iterating);
  if (last === null) return null;
  const { suite } = plan;
  const { again, lost } = await resumingOf(plan, last, thenOf(iterating.results));
  for (const { reason, trials } of groupsOf(plan, again, machine.cwd))
    machine.note(
      `${suite.name}: ${reason}; ${plural(trials, "finished run")} of iteration-${last.number} ${trials === 1 ? "stays as it is" : "stay as they are"}`,
    );
  const retry = retryPlan(plan, last.state);
  const left = new Set(retry.repetition?.leave);
  const open = remainingTrials(retry.trials, last.state).filter(({ id }) => !left.has(id));
  machine.note(
    open.length === 0
      ? `${suite.name}: iteration-${last.number} left nothing out, so nothing runs`
      : `${suite.name}: ${plural(open.length, "trial")} that iteration-${last.number} left out ${open.length === 1 ? "runs" : "run"}, and nothing else`,
  );
  const isOpen = new Set(open.map(({ id }) => id));
  await agreeToRepeat([{ plan, groups: lostGroups(plan, lost, last.damagedLines) }], { options, machine });
  return { ...retry, finished: retry.trials.map(({ id }) => id).filter((id) => !isOpen.has(id)) };
}

/** Answers with the trials of each plan that need no further run. */
async function agreeToResume(
  plans: readonly Plan[],
  { options, iterating, machine }: TakingUp,
): Promise<ReadonlyMap<Plan, readonly string[]>> {
  const finished = new Map<Plan, readonly string[]>();
  const repeated = [];
  const then = thenOf(iterating.results);
  for (const plan of plans) {
    const last = await lastIteration(plan, iterating);
    if (last === null) continue;
    const resuming = await resumingOf(plan, last, then);
    refuseFewerRuns(plan, last, { resuming, iterating });
    const groups = [
      ...groupsOf(plan, resuming.again, machine.cwd),
      ...lostGroups(plan, resuming.lost, last.damagedLines),
    ];
    for (const note of resumeNotes({ resuming, groups, suite: plan.suite.name, number: last.number }))
      machine.note(note);
    repeated.push({ plan, groups });
    finished.set(
      plan,
      resuming.reused.map(({ trial }) => trial.id),
    );
  }
  await agreeToRepeat(repeated, { options, machine });
  return finished;
}
