import { type Run, totalTokens } from "../domain/run.ts";
import type { Trial } from "../domain/trial.ts";
import type { AdaptiveSummary, QuerySummary } from "../domain/triggers.ts";

/** How far one query has come. */
export interface QueryProgress {
  readonly caseId: string;
  /** Runs planned so far, all of which have ended. */
  readonly runs: number;
  /** Of them, those that can be counted. */
  readonly valid: number;
  readonly fired: number;
}

export function progressOf(queries: readonly QuerySummary[], trials: readonly Trial[]): QueryProgress[] {
  return queries.map(({ caseId, fired }) => ({
    caseId,
    runs: trials.filter((trial) => trial.caseId === caseId).length,
    valid: fired.total,
    fired: fired.passed,
  }));
}

export interface AdaptiveOptions {
  /** Runs per query without `--adaptive`; all queries together never take more. */
  readonly runs: number;
  readonly threshold: number;
}

/** The runs that every query gets at first: as few as may settle one. */
export function firstRuns({ runs, threshold }: AdaptiveOptions): number {
  for (let n = 1; n < runs; n++) {
    const settles = (fired: number) => isSettled({ valid: n, fired }, { left: runs - n, threshold });
    if (settles(0) || settles(n)) return n;
  }
  return runs;
}

/**
 * Runs per query for the next round, by case id; null when nothing more is worth running. First every query is run until
 * its verdict is settled or it has had its share; then what was saved goes to those that are split, closest to the
 * threshold first, as long as their interval of doubt may still shrink.
 */
export function nextRuns(
  progress: readonly QueryProgress[],
  { runs, threshold }: AdaptiveOptions,
): ReadonlyMap<string, number> | null {
  const open = progress.filter(
    (query) => query.runs < runs && !isSettled(query, { left: runs - query.runs, threshold }),
  );
  const spare = runs * progress.length - progress.reduce((sum, query) => sum + query.runs, 0);
  const more =
    open.length > 0 ? open : mostDoubtful(progress, { runs, threshold }).slice(0, Math.max(0, spare));
  if (more.length === 0) return null;
  const next = new Set(more.map(({ caseId }) => caseId));
  return new Map(progress.map(({ caseId, runs: done }) => [caseId, done + (next.has(caseId) ? 1 : 0)]));
}

/** Can the runs that are left no longer change on which side of the threshold the rate lies? */
export function isSettled(
  { valid, fired }: Pick<QueryProgress, "valid" | "fired">,
  { left, threshold }: { left: number; threshold: number },
): boolean {
  const total = valid + left;
  if (valid === 0 || total === 0) return false;
  return fired / total >= threshold || (fired + left) / total < threshold;
}

/** Split queries, in the order in which one more run tells most; none is run more than twice its share. */
function mostDoubtful(
  progress: readonly QueryProgress[],
  { runs, threshold }: AdaptiveOptions,
): QueryProgress[] {
  const distance = ({ fired, valid }: QueryProgress) => Math.abs(fired / valid - threshold);
  return progress
    .filter(({ valid, fired, runs: done }) => valid > 0 && fired > 0 && fired < valid && done < 2 * runs)
    .toSorted((a, b) => distance(a) - distance(b) || a.caseId.localeCompare(b.caseId));
}

export function summarizeAdaptive(queries: readonly (readonly Run[])[], runs: number): AdaptiveSummary {
  const all = queries.flat();
  const tokens = all.map((run) => totalTokens(run.usage)).filter((count) => count !== null);
  const plannedRuns = runs * queries.length;
  const mean = tokens.reduce((sum, count) => sum + count, 0) / tokens.length;
  return {
    plannedRuns,
    runs: all.length,
    savedTokens: tokens.length === 0 ? null : Math.round(mean * Math.max(0, plannedRuns - all.length)),
  };
}
