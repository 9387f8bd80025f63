import type { Usage } from "../../domain/run.ts";
import { type Loose, numberOrNull, objectAt } from "../../lib/loose.ts";
import { withoutCache } from "../usage.ts";

export function responsesUsage(usage: Loose): Usage {
  const details = objectAt(usage, "input_tokens_details");
  return withoutCache({
    input: numberOrNull(usage, "input_tokens"),
    output: numberOrNull(usage, "output_tokens"),
    cacheRead: numberOrNull(details, "cached_tokens"),
    cacheWrite: numberOrNull(details, "cache_write_tokens"),
    reasoning: numberOrNull(objectAt(usage, "output_tokens_details"), "reasoning_tokens"),
  });
}
