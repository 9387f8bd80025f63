import type { Usage } from "../domain/run.ts";
import type { Loose } from "../lib/loose.ts";

/** What one reply, or one event of a stream, says about itself; null where it does not say. */
export interface Metered {
  readonly model: string | null;
  readonly usage: Usage | null;
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

/** No counts at all are unknown usage, not usage of unknown counts. */
export function metered(model: string | null, counts: Loose, read: (counts: Loose) => Usage): Metered {
  return { model, usage: Object.keys(counts).length === 0 ? null : read(counts) };
}

interface Counts {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
}

/** For dialects that count what the cache holds as input. */
export function withoutCache({ input, output, cacheRead, cacheWrite, reasoning }: Counts): Usage {
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
