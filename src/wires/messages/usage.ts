import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { type Loose, numberOrNull } from "../../lib/loose.ts";

/** Input is told without what the cache holds; reasoning is part of the output and not told apart. */
export function messagesUsage(usage: Loose): Usage {
  return {
    ...UNKNOWN_USAGE,
    inputTokens: numberOrNull(usage, "input_tokens"),
    outputTokens: numberOrNull(usage, "output_tokens"),
    cacheReadTokens: numberOrNull(usage, "cache_read_input_tokens"),
    cacheWriteTokens: numberOrNull(usage, "cache_creation_input_tokens"),
  };
}
