import type { Usage } from "../../../domain/run.ts";
import { type Loose, numberOrNull } from "../../../lib/loose.ts";

/** The client counts what was read from and written to a cache as input, too. */
export function usageOf(usage: Loose): Usage {
  const input = numberOrNull(usage, "input_tokens");
  const cacheReadTokens = numberOrNull(usage, "cached_input_tokens");
  const cacheWriteTokens = numberOrNull(usage, "cache_write_input_tokens");
  return {
    inputTokens:
      input === null ? null : Math.max(0, input - (cacheReadTokens ?? 0) - (cacheWriteTokens ?? 0)),
    outputTokens: numberOrNull(usage, "output_tokens"),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: numberOrNull(usage, "reasoning_output_tokens"),
    costUsd: null,
  };
}

/** After a resume the client tells the sum over the whole thread: what this call added to `before`. */
export function addedUsage(thread: Usage, before: Usage | null): Usage {
  if (before === null) return thread;
  const added = (now: number | null, then: number | null): number | null =>
    now === null ? null : now - (then ?? 0);
  const usage: Usage = {
    inputTokens: added(thread.inputTokens, before.inputTokens),
    outputTokens: added(thread.outputTokens, before.outputTokens),
    cacheReadTokens: added(thread.cacheReadTokens, before.cacheReadTokens),
    cacheWriteTokens: added(thread.cacheWriteTokens, before.cacheWriteTokens),
    reasoningTokens: added(thread.reasoningTokens, before.reasoningTokens),
    costUsd: null,
  };
  // A count that went down was not a sum: the client then tells each call by itself.
  return Object.values(usage).some((value) => value !== null && value < 0) ? thread : usage;
}
