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

export function sumUsage(usages: Iterable<Usage>): Usage {
  let total = UNKNOWN_USAGE;
  for (const usage of usages) total = addUsage(total, usage);
  return total;
}

function add(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
