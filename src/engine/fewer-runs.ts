import type { Plan } from "../domain/plan.ts";
import { UserError } from "../domain/user-error.ts";
import type { Iterating } from "../iteration/iterate.ts";
import type { Resuming } from "../iteration/resuming.ts";
import { type Loose, objectAt } from "../lib/loose.ts";
import { plural } from "../lib/plural.ts";
import type { EarlierIteration } from "./earlier-iterations.ts";

/**
 * Going on with fewer runs than there are would leave out results that people have seen: a failed gate could be resumed until
 * it passes. Throws a UserError.
 */
export function refuseFewerRuns(
  plan: Plan,
  { state, number }: EarlierIteration,
  { resuming, iterating }: { readonly resuming: Resuming; readonly iterating: Iterating },
): void {
  const adaptive = objectAt(iterating.comparing?.options, "adaptive");
  const isAdaptive = iterating.rounds !== null;
  if (isAdaptive && (iterating.comparing === null || continues(adaptive, adaptiveThen(state.iteration))))
    return;
  const tasks = new Set(plan.suite.cases.filter(({ kind }) => kind === "task").map(({ id }) => id));
  const armOf = ({ caseId, variant }: { caseId: string; variant: string }) => `${variant} ${caseId}`;
  const kept = new Set(resuming.reused.map(({ trial }) => armOf(trial)));
  const planned = new Set(plan.trials.map(({ id }) => id));
  const dropped = [...state.committed.values()].filter(
    ({ trial }) => tasks.has(trial.caseId) && kept.has(armOf(trial)) && !planned.has(trial.id),
  );
  if (dropped.length === 0) return;
  const most = Math.max(...dropped.map(({ trial }) => trial.repetition));
  throw new UserError(
    "run/fewer-runs",
    `${plan.suite.name}: iteration-${number} has ${plural(most, "run")} of each case, and going on with fewer would leave ${plural(dropped.length, "finished run")} out of the result`,
    {
      hint: isAdaptive
        ? "leave --adaptive out to go on with all of them, or leave --resume out to begin a new iteration"
        : `--runs ${most} or more continues with all of them; without --resume a new iteration begins`,
    },
  );
}

function adaptiveThen(iteration: EarlierIteration["state"]["iteration"]): Loose {
  return objectAt(objectAt(iteration?.options, "bench"), "adaptive");
}

/** The looks that were taken are looks of this plan too. */
function continues(now: Loose, then: Loose): boolean {
  return now["step"] === then["step"] && Number(now["maxRuns"]) >= Number(then["maxRuns"]);
}
