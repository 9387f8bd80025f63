import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, settle } from "../options/table.ts";
import { type Evaluation, evaluateSuites } from "../pipeline.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";

export type { Evaluation, IterationFailure } from "../pipeline.ts";

/** What `evaluate` can be told. */
export const EVALUATE_OPTIONS = { ...RUN, ...MODELS, ...CASSETTES };
export type EvaluateOptions = Given<typeof EVALUATE_OPTIONS>;

/** The main job: loads eval files, runs them on agents, grades, sums up. Throws a UserError for what the caller can fix. */
export async function evaluate(options: EvaluateOptions, door: Door): Promise<Evaluation> {
  const open = openDoor(door);
  const settled = settle(EVALUATE_OPTIONS, options, sourcesOf(open));
  const account = { file: "budget.json", resume: settled.resume || settled.retryErrors };
  await using run = await openRunRequest(settled, open, account);
  const suites = await run.load();
  return await evaluateSuites(suites, run.request, open.signal);
}
