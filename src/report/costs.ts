import type { Run, Usage } from "../domain/run.ts";
import type { Saved, Summary } from "../domain/summary.ts";
import { sumUsage } from "../domain/usage.ts";

/** What was spent on runs, apart from what was saved by taking earlier ones over. */
export function costsOf(runs: readonly Run[]): Pick<Summary, "usage" | "durationMs" | "saved"> {
  const reused = runs.filter((run) => run.reusedFrom !== null);
  const made = runs.filter((run) => run.reusedFrom === null);
  const saved: Saved = { runs: reused.length, usage: usageOf(reused), durationMs: timeOf(reused) };
  return {
    usage: made.length === 0 && reused.length > 0 ? NOTHING_USED : usageOf(made),
    durationMs: timeOf(made),
    saved: reused.length === 0 ? null : saved,
  };
}

/** Known, not unknown: nothing was run. */
const NOTHING_USED: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
};

function usageOf(runs: readonly Run[]): Usage {
  return sumUsage(runs.map((run) => run.usage));
}

function timeOf(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + run.durationMs, 0);
}
