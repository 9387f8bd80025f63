import { describe, expect, it } from "vitest";
import { BASIC, load } from "./fixtures/load.ts";

describe("recognise", () => {
  it.each([
    [BASIC, "a.yaml", "certain"],
    ["prompt: x\nexpected: y\n", "a.yml", "likely"],
    ["timestamp: 2025-01-01\nname: x\n", "a.yaml", "likely"],
    ["name: x\nprompt: y\n", "a.yaml", undefined],
    ["expected: y\n", "a.yaml", undefined],
    ["- a\n", "a.yaml", undefined],
    ['{"timestamp":"2025-01-01","name":"n","prompt":"x","expected":"y"}', "evals.json", undefined],
  ])("%j in %s", async (text, path, confidence) => {
    expect((await load(text, `/e/${path}`)).recognised?.confidence).toBe(confidence);
  });
});
