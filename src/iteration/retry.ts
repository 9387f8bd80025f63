import type { Plan } from "../domain/plan.ts";
import { trialRef } from "../store/journal.ts";
import type { IterationState } from "../store/state.ts";

/**
 * The plan for what an iteration left out, and nothing else: finished runs stay, whatever changed since. What was left out and
 * is not among the plan's trials stays left out.
 */
export function retryPlan(plan: Plan, state: IterationState): Plan {
  const today = new Map(plan.trials.map((trial) => [trial.id, trial]));
  const isDone = (trial: Plan["trials"][number]) => state.committed.has(trialRef(trial));
  const retried = state.trials.filter((trial) => !isDone(trial) && today.has(trial.id));
  const leave = state.trials.filter((trial) => !isDone(trial) && !today.has(trial.id)).map(({ id }) => id);
  const fresh = new Set(retried.map(({ caseId }) => caseId));
  const known = new Set(state.cases.map(({ id }) => id));
  return {
    ...plan,
    suite: {
      ...plan.suite,
      cases: [
        ...state.cases.map((then) => {
          const now = plan.suite.cases.find(({ id }) => id === then.id);
          return now !== undefined && fresh.has(then.id) ? now : then;
        }),
        ...plan.suite.cases.filter(({ id }) => !known.has(id)),
      ],
    },
    trials: state.trials.map((trial) => (isDone(trial) ? trial : (today.get(trial.id) ?? trial))),
    repetition: { takeOver: [], leave },
  };
}
