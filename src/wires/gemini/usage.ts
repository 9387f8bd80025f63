import type { Usage } from "../../domain/run.ts";
import { type Loose, numberOrNull } from "../../lib/loose.ts";
import { withoutCache } from "../usage.ts";

/** Thoughts are counted beside the output here, and inside it everywhere else. */
export function geminiUsage(usage: Loose): Usage {
  const spoken = numberOrNull(usage, "candidatesTokenCount");
  const reasoning = numberOrNull(usage, "thoughtsTokenCount");
  const prompt = numberOrNull(usage, "promptTokenCount");
  return withoutCache({
    input: prompt === null ? null : prompt + (numberOrNull(usage, "toolUsePromptTokenCount") ?? 0),
    output: spoken === null && reasoning === null ? null : (spoken ?? 0) + (reasoning ?? 0),
    cacheRead: numberOrNull(usage, "cachedContentTokenCount"),
    cacheWrite: null,
    reasoning,
  });
}
