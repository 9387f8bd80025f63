import { expect, it } from "vitest";
import { evidenceBudget, windowOf } from "./context-window.ts";

it.each([
  ["claude-sonnet-4-6", 200_000],
  ["anthropic/claude-opus-4-1", 200_000],
  ["gpt-5.4-mini", 256_000],
  ["gpt-4o", 128_000],
  ["o4-mini", 200_000],
  ["gemini-2.5-pro", 1_000_000],
  ["my-own-model", 48_000],
])("%s takes %i tokens", (model, tokens) => {
  expect(windowOf(model)).toBe(tokens);
});

it("a panel gets what its smallest judge takes, and the user has the last word", () => {
  const budget = (models: readonly string[], tokens: number | null = null) =>
    evidenceBudget(
      models.map((model) => ({ model })),
      tokens,
    );
  expect(budget(["gpt-4o", "claude-x"])).toBe(budget(["gpt-4o"]));
  expect(budget(["claude-x"])).toBeGreaterThan(budget(["unknown"]));
  expect(budget(["claude-x"], 20_000)).toBe(10_000);
  expect(budget(["gemini-x"])).toBe(600_000);
  expect(budget(["claude-x"], 1000)).toBe(8000);
});
