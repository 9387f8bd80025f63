import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { type Loose, numberOrNull, objectAt, textOrNull } from "../../lib/loose.ts";
import type { WireName } from "./wire.ts";

/** What one reply, or one event of a stream, says about itself; null where it does not say. */
export interface Metered {
  readonly model: string | null;
  readonly usage: Usage | null;
}

/** Reads a whole reply or a single stream event of a dialect. */
export function meter(wire: WireName, body: unknown): Metered {
  switch (wire) {
    case "messages":
      return meterMessages(body);
    case "responses": {
      const response = "response" in objectAt(body) ? objectAt(body, "response") : objectAt(body);
      return metered(response, "model", "usage", responsesUsage);
    }
    case "chat":
      return metered(objectAt(body), "model", "usage", chatUsage);
    case "gemini":
      return metered(objectAt(body), "modelVersion", "usageMetadata", geminiUsage);
  }
}

/** Puts what a later event says over what was known: counts in a stream are totals, and the last word holds. */
export function laterMetered(earlier: Metered, later: Metered): Metered {
  const usage =
    earlier.usage === null || later.usage === null
      ? (later.usage ?? earlier.usage)
      : overlaid(earlier.usage, later.usage);
  return { model: earlier.model ?? later.model, usage };
}

export const NOTHING_METERED: Metered = { model: null, usage: null };

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

/** Thoughts are counted beside the output here, and inside it everywhere else. */
function geminiUsage(usage: Loose): Usage {
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

function meterMessages(body: unknown): Metered {
  const message = "message" in objectAt(body) ? objectAt(body, "message") : objectAt(body);
  return metered(message, "model", "usage", messagesUsage);
}

function metered(body: Loose, modelKey: string, usageKey: string, read: (usage: Loose) => Usage): Metered {
  const told = objectAt(body, usageKey);
  return { model: textOrNull(body, modelKey), usage: Object.keys(told).length === 0 ? null : read(told) };
}

interface Counts {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
}

function withoutCache({ input, output, cacheRead, cacheWrite, reasoning }: Counts): Usage {
  return {
    inputTokens: input === null ? null : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: reasoning,
    costUsd: null,
  };
}

function overlaid(earlier: Usage, later: Usage): Usage {
  return {
    inputTokens: later.inputTokens ?? earlier.inputTokens,
    outputTokens: later.outputTokens ?? earlier.outputTokens,
    cacheReadTokens: later.cacheReadTokens ?? earlier.cacheReadTokens,
    cacheWriteTokens: later.cacheWriteTokens ?? earlier.cacheWriteTokens,
    reasoningTokens: later.reasoningTokens ?? earlier.reasoningTokens,
    costUsd: later.costUsd ?? earlier.costUsd,
  };
}
