import { describe, expect, it } from "vitest";
import { sampleCase } from "../fixtures/samples.ts";
import { evalMetadataFile } from "./eval-metadata.ts";

describe("evalMetadataFile", () => {
  it("joins turns and names the checks", () => {
    const one = sampleCase({
      id: "a",
      name: "Two turns",
      prompt: { kind: "turns", turns: ["First.", "Then."] },
    });
    expect(evalMetadataFile(one, 3)).toEqual({
      eval_id: 3,
      eval_name: "Two turns",
      prompt: "First.\n\nThen.",
      assertions: ["The card names Ada"],
      id: "a",
    });
  });

  it.each([
    ["with_skill", "/cards for Ada"],
    ["without_skill", "for Ada"],
  ] as const)("shows an invocation as %s gets it", (variant, prompt) => {
    const one = sampleCase({ prompt: { kind: "invocation", args: "for Ada" } });
    expect(evalMetadataFile(one, 1, variant, "cards").prompt).toBe(prompt);
  });
});
