import { UNKNOWN_USAGE, type Usage } from "./run.ts";

/** Known parts are added; a part that neither side knows stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    cacheReadTokens: add(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: add(a.cacheWriteTokens, b.cacheWriteTokens),
    reasoningTokens: add(a.reasoningTokens, b.reasoningTokens),
    costUsd: add(a.costUsd, b.costUsd),
  };
}

/** One total is added to: over tens of thousands of runs, a new one for each is what takes the time. */
export function sumUsage(usages: Iterable<Usage>): Usage {
  const total = { ...UNKNOWN_USAGE };
  for (const usage of usages) {
    total.inputTokens = add(total.inputTokens, usage.inputTokens);
    total.outputTokens = add(total.outputTokens, usage.outputTokens);
    total.cacheReadTokens = add(total.cacheReadTokens, usage.cacheReadTokens);
    total.cacheWriteTokens = add(total.cacheWriteTokens, usage.cacheWriteTokens);
    total.reasoningTokens = add(total.reasoningTokens, usage.reasoningTokens);
    total.costUsd = add(total.costUsd, usage.costUsd);
  }
  return total;
}

function add(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
