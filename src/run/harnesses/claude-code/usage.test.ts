import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../../domain/run.ts";
import { usageOf } from "./usage.ts";

const MODEL = {
  inputTokens: 10,
  outputTokens: 4,
  cacheReadInputTokens: 100,
  cacheCreationInputTokens: 20,
  costUSD: 0.5,
};
const TOTAL = {
  inputTokens: 10,
  outputTokens: 4,
  cacheReadTokens: 100,
  cacheWriteTokens: 20,
  reasoningTokens: null,
};
const PLAIN = {
  input_tokens: 3,
  output_tokens: 2,
  cache_read_input_tokens: 1,
  cache_creation_input_tokens: 0,
};

describe("usageOf", () => {
  it.each([
    ["nothing without a result", [], UNKNOWN_USAGE],
    [
      "what each model used, helper agents included, and the cost as told",
      [{ usage: PLAIN, modelUsage: { a: MODEL }, total_cost_usd: 0.6 }],
      { ...TOTAL, costUsd: 0.6 },
    ],
    [
      "the last of several results, which counts from the start of the call",
      [
        { modelUsage: { a: { ...MODEL, inputTokens: 1 } }, total_cost_usd: 0.1 },
        { modelUsage: { a: MODEL }, total_cost_usd: 0.6 },
      ],
      { ...TOTAL, costUsd: 0.6 },
    ],
    [
      "the sum over models",
      [{ modelUsage: { a: MODEL, b: { ...MODEL, thinkingTokens: 7 } }, total_cost_usd: 1 }],
      { ...doubled(), reasoningTokens: 7, costUsd: 1 },
    ],
    [
      "what each result added, where the client says so: its totals go back to earlier calls",
      [
        {
          model_usage_since_last_result: { a: MODEL },
          modelUsage: { a: { ...MODEL, inputTokens: 900 } },
          total_cost_usd: 9,
        },
        { model_usage_since_last_result: { a: MODEL }, total_cost_usd: 10 },
      ],
      { ...doubled(), costUsd: 1 },
    ],
    [
      "the plain counts of an old client",
      [
        { usage: PLAIN, total_cost_usd: 0.2 },
        { usage: PLAIN, total_cost_usd: 0.4 },
      ],
      {
        inputTokens: 6,
        outputTokens: 4,
        cacheReadTokens: 2,
        cacheWriteTokens: 0,
        reasoningTokens: null,
        costUsd: 0.4,
      },
    ],
    [
      "nothing where only zeros are told and no model is named",
      [{ usage: { input_tokens: 0, output_tokens: 0 }, modelUsage: {}, total_cost_usd: 0 }],
      UNKNOWN_USAGE,
    ],
    ["nothing where nothing is told", [{}], UNKNOWN_USAGE],
    [
      "no number that is none",
      [{ modelUsage: { a: { inputTokens: "7", costUSD: Number.NaN } } }],
      UNKNOWN_USAGE,
    ],
  ])("knows %s", (_, results, expected) => {
    expect(usageOf(results)).toEqual(expected);
  });
});

function doubled() {
  return {
    inputTokens: 20,
    outputTokens: 8,
    cacheReadTokens: 200,
    cacheWriteTokens: 40,
    reasoningTokens: null,
  };
}
