import { describe, expect, it } from "vitest";
import { said } from "./fixtures/rules.ts";

describe("names", () => {
  it("are unique across all three layers, and every clash is named with both places", async () => {
    const spec = {
      assertions: [
        { id: "x", type: "has_urls" },
        { id: "x", type: "has_entries" },
      ],
      sections: [{ name: "S", tiers: [{ label: "t", fields: [{ id: "x", name: "n" }] }] }],
      grading_criteria: [
        { id: "y", criterion: "good?" },
        { id: "x", criterion: "good?" },
      ],
    };
    expect(await said(spec)).toEqual([
      'error: the id "x" of assertions[1] is already used by assertions[0]',
      'error: the id "x" of sections[0].tiers[0].fields[0] is already used by assertions[0]',
      'error: the id "x" of grading_criteria[1] is already used by assertions[0]',
    ]);
  });

  it("tell sections and tiers apart", async () => {
    const tiers = [{ label: "t" }, { label: "t" }];
    expect(
      await said({
        sections: [
          { name: "S", tiers },
          { name: "S", tiers: [] },
          { name: "T", tiers: [{ label: "t" }] },
        ],
      }),
    ).toEqual([
      'error: the section name "S" of sections[1] is already used by sections[0]',
      'error: the tier label "t" of sections[0].tiers[1] is already used by sections[0].tiers[0]',
    ]);
  });

  it("are compared even where an entry is wrong otherwise", async () => {
    const spec = { assertions: [{ id: "x" }], grading_criteria: [{ id: "x", criterion: "good?" }] };
    expect((await said(spec)).at(-1)).toBe(
      'error: the id "x" of grading_criteria[0] is already used by assertions[0]',
    );
  });
});

describe("grading models", () => {
  it.each([
    [{ grading_model: "claude-opus-4-1" }],
    [{ grading_model: "gpt-5.4-mini", grading_provider: "auto" }],
    [{ grading_model: "o4-mini", grading_provider: null }],
    [{ grading_model: "llama3", grading_provider: "openai" }],
  ])("%j", async (spec) => {
    expect(await said(spec)).toEqual([]);
  });

  it.each([[{ grading_model: "llama3" }], [{ grading_model: "llama3", grading_provider: "auto" }]])(
    "%j",
    async (spec) => {
      expect(await said(spec)).toEqual([
        'note: grading_model "llama3" does not say which provider has it: only claude-*, gpt-* and o<digit>* are known (set "grading_provider" to "anthropic" or "openai", or pass --grading-provider)',
      ]);
    },
  );
});
