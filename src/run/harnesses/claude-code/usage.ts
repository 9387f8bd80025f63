import { UNKNOWN_USAGE, type Usage } from "../../../domain/run.ts";
import { sumUsage } from "../../../domain/usage.ts";
import { type Loose, numberOrNull, objectAt } from "../../../lib/loose.ts";

/**
 * Tokens and cost of one call, helper agents included. Newer clients say what each result adds; older ones count up per
 * model from the start of the call. The plain `usage` leaves helper agents out, so it counts only where no model is
 * named; and zeros without a model are how a client that was interrupted says that it does not know.
 */
export function usageOf(results: readonly Loose[]): Usage {
  const last = results.at(-1);
  if (last === undefined) return UNKNOWN_USAGE;
  const byModel = results.every((one) => "model_usage_since_last_result" in one)
    ? sumUsage(results.map((one) => ofModels(objectAt(one, "model_usage_since_last_result"))))
    : { ...ofModels(objectAt(last, "modelUsage")), costUsd: numberOrNull(last, "total_cost_usd") };
  if (byModel.inputTokens !== null) return byModel;
  const plain = sumUsage(results.map((one) => plainUsage(objectAt(one, "usage"))));
  const isEmpty = Object.values(plain).every((value) => value === null || value === 0);
  return isEmpty ? UNKNOWN_USAGE : { ...plain, costUsd: byModel.costUsd };
}

function ofModels(models: Loose): Usage {
  return sumUsage(
    Object.values(models).map((one) => ({
      inputTokens: numberOrNull(one, "inputTokens"),
      outputTokens: numberOrNull(one, "outputTokens"),
      cacheReadTokens: numberOrNull(one, "cacheReadInputTokens"),
      cacheWriteTokens: numberOrNull(one, "cacheCreationInputTokens"),
      reasoningTokens: numberOrNull(one, "thinkingTokens"),
      costUsd: numberOrNull(one, "costUSD"),
    })),
  );
}

function plainUsage(usage: Loose): Usage {
  return {
    inputTokens: numberOrNull(usage, "input_tokens"),
    outputTokens: numberOrNull(usage, "output_tokens"),
    cacheReadTokens: numberOrNull(usage, "cache_read_input_tokens"),
    cacheWriteTokens: numberOrNull(usage, "cache_creation_input_tokens"),
    reasoningTokens: null,
    costUsd: null,
  };
}
