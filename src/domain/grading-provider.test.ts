import { expect, it } from "vitest";
import { inferProvider } from "./grading-provider.ts";

it.each([
  ["claude-sonnet-4-6", "anthropic"],
  ["gpt-5.4-mini", "openai"],
  ["o4-mini", "openai"],
  ["o1", "openai"],
  ["claude", null],
  ["opus", null],
  ["Claude-3", null],
  ["llama3:8b", null],
  ["", null],
])("the model %j belongs to %s", (model, provider) => {
  expect(inferProvider(model)).toBe(provider);
});
