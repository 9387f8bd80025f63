import type { Suite } from "../domain/suite.ts";
import type { Plan } from "../domain/plan.ts";
import { readIteration } from "../store/iteration.ts";
import type { IterationFolder } from "../store/layout.ts";
import type { TriggerRuns } from "../domain/triggers.ts";
import { nextRuns } from "../triggers/repeats.ts";
import { summarizeTriggers } from "../triggers/summarize.ts";

/** Repetitions that are added while something is open. */
export interface Rounds {
  /** Runs of single cases, by id, before anything is known. */
  readonly first: (suite: Suite) => ReadonlyMap<string, number>;
  /** Runs in all after what the round showed; null: there is no need for another. */
  readonly next: (folder: IterationFolder, plan: Plan) => Promise<ReadonlyMap<string, number> | null>;
}

/** Every query is run `first` times, and again while it is unsettled and more runs, up to `most`, can settle it. */
export function triggerRounds({ first, most }: TriggerRuns, threshold: number): Rounds {
  return {
    first: ({ cases }) =>
      new Map(cases.filter((one) => one.kind === "trigger").map((one) => [one.id, first])),
    async next(folder, { suite, trials }) {
      const queries = new Set(suite.cases.filter((one) => one.kind === "trigger").map(({ id }) => id));
      if (most <= first || !trials.some(({ caseId }) => queries.has(caseId))) return null;
      const { state } = await readIteration(folder);
      const options = { threshold, firstRuns: first, adaptiveRuns: null };
      const summary = summarizeTriggers({ ...state, suite: suite.name }, options);
      return summary === null || summary.canary.status === "silent"
        ? null
        : nextRuns(summary.queries, trials, most);
    },
  };
}
