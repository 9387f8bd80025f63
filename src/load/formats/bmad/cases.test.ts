import { describe, expect, it } from "vitest";
import { CASE, PLACES, load, problems } from "./fixtures/load.ts";

describe("cases", () => {
  it.each([
    ["an object", (entries: unknown) => ({ cases: entries })],
    ["a list", (entries: unknown) => entries],
  ])("are read from %s", async (_, wrap) => {
    const content = wrap([
      { ...CASE, state_prefix: "[mid-session]", timeout: 30 },
      { ...CASE, id: 2 },
    ]);
    const { file, diagnostics } = await load(content, { path: PLACES.cases });
    expect(diagnostics).toEqual([]);
    expect(file).toMatchObject({ dialect: "cases", skillName: null, extras: {} });
    expect(file?.cases).toMatchObject([
      {
        id: "c1",
        prompt: { kind: "turns", turns: ["[mid-session]\n\nGo headless"] },
        checks: [{ id: "rubric-1", text: "It went" }],
        settings: { timeoutSeconds: 30 },
        extras: { state_prefix: "[mid-session]" },
      },
      { id: "2", declaredId: 2, prompt: { turns: ["Go headless"] }, extras: {} },
    ]);
  });

  it("may name the skill", async () => {
    const { file } = await load({ skill: "farm", notes: "n", cases: [CASE] }, { path: PLACES.cases });
    expect(file).toMatchObject({ skillName: "farm", extras: { notes: "n" } });
  });

  it.each<[unknown, string]>([
    [
      [{ ...CASE, rubric: [{ dimension: "x", pass_if: "y" }] }],
      "[0].rubric[0] must be a string, not an object",
    ],
    [[{ ...CASE, rubric: [] }], "[0].rubric must not be empty"],
    [[{ id: "a", rubric: ["x"] }], '[0] has no "input"'],
    [{ cases: [CASE, CASE] }, 'the id "c1" is used twice'],
    [[{ ...CASE, state_prefix: 3 }], "[0].state_prefix must be a string"],
  ])("refuses %j", async (content, expected) => {
    const found = await problems(content, { path: PLACES.cases });
    expect(found).toEqual([expect.stringContaining(expected)]);
  });
});
