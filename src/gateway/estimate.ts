import { totalTokens, UNKNOWN_USAGE, type Usage } from "../domain/run.ts";
import type { Spent } from "./budget.ts";
import type { ModelCall } from "./call.ts";

/** Dollars; null when the model or its price is not known. */
export type PriceOf = (model: string, usage: Usage) => number | null;

/** For requests that name no limit of their own. */
const USUAL_OUTPUT_TOKENS = 16_384;

/** The most that a call may take: its bytes as input, at the dearer of the two prices for it, and all the output it allows. */
export function mostOf(call: ModelCall, priceOf: PriceOf): { tokens: number; costUsd: number | null } {
  const inputTokens = tokensIn(call.bytes.length);
  const outputTokens = call.maxOutputTokens ?? USUAL_OUTPUT_TOKENS;
  const plain = priceOf(call.model, { ...UNKNOWN_USAGE, inputTokens, outputTokens });
  const cached = priceOf(call.model, {
    ...UNKNOWN_USAGE,
    inputTokens: 0,
    cacheWriteTokens: inputTokens,
    outputTokens,
  });
  return {
    tokens: inputTokens + outputTokens,
    costUsd: plain === null ? null : Math.max(plain, cached ?? 0),
  };
}

/**
 * What an exchange is taken to have cost. A reply that never told its tokens costs its input and, at four bytes a token,
 * what came of it; when nothing of an unstreamed answer came, all that was reserved, because the model may have written it.
 */
export function spentOn(
  call: ModelCall,
  reply: { readonly usage: Usage | null; readonly complete: boolean; readonly bytes: number },
  parts: { readonly most: Spent; readonly priceOf: PriceOf },
): Spent {
  const { most, priceOf } = parts;
  const usage = reply.usage !== null && reply.complete ? reply.usage : guessed(call, reply);
  if (usage === null) return most;
  const tokens = totalTokens(usage) ?? most.tokens;
  const costUsd = usage.costUsd ?? priceOf(call.model, usage) ?? most.costUsd;
  return { tokens, costUsd };
}

function guessed(
  call: ModelCall,
  { usage, complete, bytes }: { usage: Usage | null; complete: boolean; bytes: number },
): Usage | null {
  if (!call.stream && !complete) return null;
  const inputTokens = usage?.inputTokens ?? tokensIn(call.bytes.length);
  const written = Math.min(tokensIn(bytes), call.maxOutputTokens ?? Infinity);
  return {
    ...(usage ?? UNKNOWN_USAGE),
    inputTokens,
    outputTokens: Math.max(usage?.outputTokens ?? 0, written),
    costUsd: null,
  };
}

function tokensIn(bytes: number): number {
  return Math.ceil(bytes / 4);
}
