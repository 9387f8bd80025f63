import type { Plan } from "../domain/plan.ts";
import { UserError } from "../domain/user-error.ts";
import type { Iterating } from "../iteration/iterate.ts";
import { resumingOf } from "../iteration/resuming.ts";
import { retryPlan } from "../iteration/retry.ts";
import { remainingTrials } from "../store/state.ts";
import { plural } from "../lib/plural.ts";
import type { Machine } from "../machine.ts";
import { affectedPlan } from "./affected-plan.ts";
import { lastIteration, thenOf } from "./earlier-iterations.ts";
import { agreeToRepeat, groupsOf, resumeNotes } from "./repeated-runs.ts";
import type { RunOptions } from "./run-options.ts";

export interface TakingUp {
  readonly options: RunOptions;
  readonly iterating: Iterating;
  readonly machine: Machine;
}

/**
 * Decides what of earlier iterations each plan goes on with, and says so: the plans to work through by those that were given.
 * Asks before runs that were paid for are made again; throws a UserError where nobody agrees. Nothing is written.
 */
export async function takeUpEarlier(
  plans: readonly Plan[],
  work: TakingUp,
): Promise<ReadonlyMap<Plan, Plan>> {
  const { resume, retryErrors, affected } = work.options;
  if (retryErrors && (affected || resume)) throw contradiction(affected ? "--affected" : "--resume");
  if (retryErrors) return retryPlans(plans, work);
  const chosen = new Map<Plan, Plan>();
  for (const plan of plans) chosen.set(plan, affected ? await affectedPlan(plan, work) : plan);
  if (resume) await agreeToResume([...chosen.values()], work);
  return chosen;
}

function contradiction(flag: string): UserError {
  return new UserError("run/contradiction", `--retry-errors and ${flag} ask for different things`, {
    hint: "--retry-errors runs only what the last iteration left out; leave one of the two out",
  });
}

async function retryPlans(
  plans: readonly Plan[],
  { iterating, machine }: TakingUp,
): Promise<ReadonlyMap<Plan, Plan>> {
  const retried = new Map<Plan, Plan>();
  for (const plan of plans) {
    const last = await lastIteration(plan, iterating);
    if (last === null) continue;
    const { suite } = plan;
    const { again } = await resumingOf(plan, last.state, thenOf(iterating.results));
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
    retried.set(plan, retry);
  }
  if (retried.size > 0 || plans.length === 0) return retried;
  throw new UserError("run/nothing-to-retry", "there is no earlier iteration to retry", {
    hint: "run once without --retry-errors, with the same agent and model",
  });
}

async function agreeToResume(
  plans: readonly Plan[],
  { options, iterating, machine }: TakingUp,
): Promise<void> {
  const repeated = [];
  const then = thenOf(iterating.results);
  for (const plan of plans) {
    const last = await lastIteration(plan, iterating);
    if (last === null) continue;
    const resuming = await resumingOf(plan, last.state, then);
    for (const note of resumeNotes(plan, { resuming, number: last.number, cwd: machine.cwd }))
      machine.note(note);
    repeated.push({ plan, groups: groupsOf(plan, resuming.again, machine.cwd) });
  }
  await agreeToRepeat(repeated, { options, machine });
}
