import type { Usage } from "../../domain/run.ts";
import { type Loose, numberOrNull, objectAt } from "../../lib/loose.ts";
import { withoutCache } from "../usage.ts";

export function chatUsage(usage: Loose): Usage {
  const details = objectAt(usage, "prompt_tokens_details");
  return withoutCache({
    input: numberOrNull(usage, "prompt_tokens"),
    output: numberOrNull(usage, "completion_tokens"),
    cacheRead: numberOrNull(details, "cached_tokens"),
    cacheWrite: numberOrNull(details, "cache_write_tokens"),
    reasoning: numberOrNull(objectAt(usage, "completion_tokens_details"), "reasoning_tokens"),
  });
}
