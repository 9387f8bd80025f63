import type { Suite } from "../domain/suite.ts";
import type { Plan } from "../domain/plan.ts";
import { readIteration } from "../store/iteration.ts";
import type { IterationFolder } from "../store/layout.ts";
import { type AdaptiveOptions, firstRuns, nextRuns, progressOf } from "../triggers/adaptive.ts";
import { summarizeTriggers } from "../triggers/summarize.ts";

/** Repetitions that are added while something is open. */
export interface Rounds {
  /** Runs of single cases, by id, before anything is known. */
  readonly first: (suite: Suite) => ReadonlyMap<string, number>;
  /** Runs in all after what the round showed; null: there is no need for another. */
  readonly next: (folder: IterationFolder, plan: Plan) => Promise<ReadonlyMap<string, number> | null>;
}

export function triggerRounds(options: AdaptiveOptions): Rounds {
  return {
    first: (suite) => firstRound(suite, options),
    next: (folder, plan) => nextRound(folder, plan, options),
  };
}

/** How often each trigger query is run before anything is known about it, by case id. */
function firstRound({ cases }: Suite, options: AdaptiveOptions): ReadonlyMap<string, number> {
  const runs = firstRuns(options);
  return new Map(cases.filter((one) => one.kind === "trigger").map((one) => [one.id, runs]));
}

/** How often each trigger query is to be run in all, after what the round showed; null: another is not needed, or of no use. */
async function nextRound(
  folder: IterationFolder,
  { suite, trials }: Plan,
  options: AdaptiveOptions,
): Promise<ReadonlyMap<string, number> | null> {
  const { state } = await readIteration(folder);
  const { threshold } = options;
  const summary = summarizeTriggers({ ...state, suite: suite.name }, { threshold, adaptiveRuns: null });
  return summary === null || summary.canary.status === "silent"
    ? null
    : nextRuns(progressOf(summary.queries, trials), options);
}
