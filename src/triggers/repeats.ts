import { type Run, totalTokens } from "../domain/run.ts";
import type { AdaptiveSummary, QuerySummary, TriggerRuns } from "../domain/triggers.ts";
import type { Trial } from "../domain/trial.ts";
import { fewestToSettle } from "../stats/settle.ts";

/** What was asked for; null: not said. */
export interface AskedRuns {
  readonly runs: number | null;
  readonly maxRuns: number;
  /** Start with as few runs as may settle a query. */
  readonly adaptive: boolean;
  readonly triggerThreshold: number;
}

/** How often queries are run at first and at most. `usual` is for whoever says nothing. */
export function triggerRunsOf(
  { runs, maxRuns, adaptive, triggerThreshold }: AskedRuns,
  usual: number,
): TriggerRuns {
  if (adaptive) {
    const most = runs ?? maxRuns;
    return { first: fewestToSettle(triggerThreshold, most), most };
  }
  const first = runs ?? Math.min(usual, maxRuns);
  return { first, most: Math.max(first, maxRuns) };
}

/**
 * Runs per query for the next round, by case id; null when no query can be settled by more. `trials` are those made so far,
 * all of which have ended.
 */
export function nextRuns(
  queries: readonly QuerySummary[],
  trials: readonly Pick<Trial, "caseId">[],
  most: number,
): ReadonlyMap<string, number> | null {
  const made = queries.map(({ caseId }) => trials.filter((trial) => trial.caseId === caseId).length);
  const next = queries.map(({ moreRuns }, at) => {
    const runs = made[at] ?? 0;
    const all = runs + (moreRuns ?? 0);
    return all <= most ? all : runs;
  });
  if (next.every((runs, at) => runs === made[at])) return null;
  return new Map(queries.map(({ caseId }, at) => [caseId, next[at] ?? 0]));
}

export function summarizeAdaptive(queries: readonly (readonly Run[])[], most: number): AdaptiveSummary {
  const all = queries.flat();
  const tokens = all.map((run) => totalTokens(run.usage)).filter((count) => count !== null);
  const plannedRuns = most * queries.length;
  const mean = tokens.reduce((sum, count) => sum + count, 0) / tokens.length;
  return {
    plannedRuns,
    runs: all.length,
    savedTokens: tokens.length === 0 ? null : Math.round(mean * Math.max(0, plannedRuns - all.length)),
  };
}
