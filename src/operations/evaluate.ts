import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN, SHORTER } from "../options/run.ts";
import { type Given, settle } from "../options/table.ts";
import type { Plan } from "../domain/plan.ts";
import { type LeftToRun, leftToRun } from "../engine/preflight/about-to-run.ts";
import { UserError } from "../domain/user-error.ts";
import { isServed } from "../engine/served/served-targets.ts";
import { type Evaluation, evaluateSuites, planOnly } from "../pipeline.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";

export type { Evaluation, IterationFailure } from "../pipeline.ts";

/** What `evaluate` can be told. */
export const EVALUATE_OPTIONS = { ...RUN, ...SHORTER, ...MODELS, ...CASSETTES };
export type EvaluateOptions = Given<typeof EVALUATE_OPTIONS>;

/** The main job: loads eval files, runs them on agents, grades, sums up. Throws a UserError for what the caller can fix. */
export async function evaluate(options: EvaluateOptions, door: Door): Promise<Evaluation> {
  await using run = await opened(options, door);
  return await evaluateSuites(await run.load(), run.request, run.signal);
}

/** What `evaluate` would do with the same options: plans with what is left to run and its cost. Starts no agent and asks no model. */
export async function planEvaluation(
  options: EvaluateOptions,
  door: Door,
): Promise<readonly PlannedIteration[]> {
  // What a run would refuse is refused here too.
  const { targets } = settle(EVALUATE_OPTIONS, options, sourcesOf(openDoor(door)));
  if (targets.some(isServed))
    throw new UserError(
      "served/not-dry",
      "what a server serves is only known once it runs, and a dry run runs nothing",
      {
        hint: "run it without --dry-run; --smoke and --case keep it short",
      },
    );
  // Nothing runs, so there is nothing to agree to.
  await using run = await opened({ ...options, trust: true, yes: true }, door);
  const plans = await planOnly(await run.load(), run.request, run.signal);
  return plans.map((plan) => ({ plan, left: leftToRun(plan) }));
}

/** An iteration that would be worked on, and what of it is left to run. */
export interface PlannedIteration {
  readonly plan: Plan;
  readonly left: LeftToRun;
}

async function opened(options: EvaluateOptions, door: Door) {
  const open = openDoor(door);
  const settled = settle(EVALUATE_OPTIONS, options, sourcesOf(open));
  const account = { file: "budget.json", resume: settled.resume || settled.retryErrors };
  const run = await openRunRequest(settled, open, account);
  const { failFast, lastFailed } = settled;
  return { ...run, request: { ...run.request, failFast, lastFailed }, signal: open.signal };
}
