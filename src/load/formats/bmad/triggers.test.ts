import { describe, expect, it } from "vitest";
import { PLACES, load, problems } from "./fixtures/load.ts";

describe("triggers.json", () => {
  const around = { path: PLACES.triggers };

  it("makes a trigger case of each query", async () => {
    const content = [
      { query: "Write a brief", should_trigger: true },
      { query: "Brainstorm", should_trigger: false, assay: { skill: "ideas" } },
    ];
    const { file, diagnostics } = await load(content, around);
    expect(diagnostics).toEqual([]);
    expect(file).toMatchObject({ dialect: "triggers", cases: [{ id: "q001" }, { id: "q002" }] });
    expect(file?.cases[0]).toMatchObject({
      kind: "trigger",
      declaredId: null,
      prompt: { kind: "turns", turns: ["Write a brief"] },
      checks: [
        {
          id: "fires",
          layer: "trigger",
          kind: "fires",
          text: "the skill fires",
          expected: true,
          skill: null,
          forbidden: [],
          appliesTo: "with-skill",
        },
      ],
    });
    expect(file?.cases[1]?.checks).toMatchObject([{ expected: false, skill: "ideas" }]);
  });

  it.each<[unknown, string]>([
    [[{ query: "x" }], '[0] has no "should_trigger"'],
    [[{ query: "x", should_trigger: "true" }], "[0].should_trigger must be true or false"],
    [[{ query: "", should_trigger: true }], "[0].query must not be blank"],
    [["x"], "[0] must be an object"],
    [[], "note bmad/no-cases"],
    [[{ query: "x", should_trigger: true, reason: "y" }], 'unknown key "reason"'],
  ])("says what is wrong with %j", async (content, expected) => {
    expect(await problems(content, around)).toEqual([expect.stringContaining(expected)]);
  });
});
