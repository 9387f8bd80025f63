import { NOTHING_USED, type Run } from "../domain/run.ts";
import type { Summary } from "../domain/summary.ts";
import { sumUsage } from "../domain/usage.ts";

/** What the runs took that were made here. Where all were taken over, that is nothing, which is known. */
export function costsOf(runs: readonly Run[]): Pick<Summary, "usage" | "durationMs"> {
  const made = runs.filter((run) => run.reusedFrom === null);
  const isAllReused = made.length === 0 && runs.length > 0;
  return {
    usage: isAllReused ? NOTHING_USED : sumUsage(made.map(({ usage }) => usage)),
    durationMs: timeOf(made),
  };
}

/** The agents' time, added up as far as it is known; null where there are runs and none says. */
export function timeOf(runs: readonly Pick<Run, "durationMs">[]): number | null {
  let total: number | null = runs.length === 0 ? 0 : null;
  for (const { durationMs } of runs) if (durationMs !== null) total = (total ?? 0) + durationMs;
  return total;
}
