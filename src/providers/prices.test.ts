import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import { loadPrices } from "./prices.ts";

const prices = await loadPrices(new Date("2026-11-15T00:00:00Z"));
const MILLION = { ...UNKNOWN_USAGE, inputTokens: 1e6, outputTokens: 1e6 };

it.each([
  ["claude-sonnet-4-6", MILLION, 18],
  ["claude-sonnet-4-6", { ...MILLION, inputTokens: 0, outputTokens: 0, cacheReadTokens: 1e6 }, 0.3],
  ["claude-sonnet-4-6", { ...MILLION, inputTokens: 0, outputTokens: 0, cacheWriteTokens: 1e6 }, 3.75],
  ["gpt-5.4-mini", { ...MILLION, cacheReadTokens: 1e6, reasoningTokens: 5e5 }, 0.75 + 0.075 + 4.5],
  ["claude-haiku-4-5-20251001", MILLION, 6],
])("%s: %j costs %d dollars", (model, usage, dollars) => {
  expect(prices.priceOf(model, usage)).toBeCloseTo(dollars, 6);
});

it("costs nothing to use nothing", () => {
  expect(prices.priceOf("claude-sonnet-4-6", { ...UNKNOWN_USAGE, inputTokens: 0, outputTokens: 0 })).toBe(0);
});

it.each(["sim-model", "llama3.2:3b", "", "claude-unheard-of-9", "gpt-99-turbo"])(
  "does not know the price of %j",
  (model) => {
    expect(prices.priceOf(model, MILLION)).toBeNull();
  },
);

it.each([
  UNKNOWN_USAGE,
  { ...MILLION, inputTokens: null },
  { ...MILLION, outputTokens: null },
  { ...MILLION, inputTokens: -1 },
  { ...MILLION, outputTokens: Number.NaN },
])("does not know the price of unknown or odd counts: %j", (usage) => {
  expect(prices.priceOf("claude-sonnet-4-6", usage)).toBeNull();
});

it("names the table it really uses", () => {
  const url = new URL("../../node_modules/@pydantic/genai-prices/package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(url, "utf8")) as { version: string };
  expect(prices.snapshot).toEqual({
    table: "@pydantic/genai-prices",
    version,
    at: "2026-11-15T00:00:00.000Z",
  });
});
