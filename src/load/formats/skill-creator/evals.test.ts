import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileNameProblem } from "../../../lib/file-name.ts";
import { loadText } from "./testing.ts";
import { SKILL, cases, evalsOf } from "./fixtures/evals.ts";

/** The example of skill-creator's schema document. */
const DOCUMENTED = {
  skill_name: "example-skill",
  evals: [
    {
      id: 1,
      prompt: "User's example prompt",
      expected_output: "Description of expected result",
      files: ["evals/files/sample1.pdf"],
      expectations: ["The output includes X", "The skill used script Y"],
    },
  ],
};

describe("the documented file", () => {
  it("becomes a case with every field", async () => {
    const { file, errors } = await loadText(JSON.stringify(DOCUMENTED));
    expect(errors).toEqual([]);
    expect(file).toMatchObject({
      format: "skill-creator",
      dialect: "evals",
      skillName: "example-skill",
      description: null,
      extras: {},
    });
    expect(file?.cases).toMatchObject([
      {
        id: "1",
        declaredId: 1,
        kind: "task",
        prompt: { kind: "turns", turns: ["User's example prompt"] },
        expectedOutput: "Description of expected result",
        files: [{ kind: "path", declared: "evals/files/sample1.pdf", target: "evals/files/sample1.pdf" }],
        checks: [
          {
            id: "expectation-1",
            layer: "L3",
            kind: "criterion",
            text: "The output includes X",
            origin: null,
          },
          { id: "expectation-2", layer: "L3", kind: "criterion", text: "The skill used script Y" },
        ],
        extras: {},
      },
    ]);
  });

  it("points at its evals", async () => {
    const { file } = await loadText(JSON.stringify(DOCUMENTED, null, 2));
    expect(file?.cases[0]?.at).toEqual({ file: "/nowhere/skill/evals/evals.json", line: 4, column: 5 });
  });
});

describe("ids", () => {
  it.each([
    [
      [0, 1],
      ["0", "1"],
    ],
    [
      ["A1", "a1"],
      ["A1", expect.stringMatching(/^a1-[0-9a-f]{8}$/)],
    ],
    [
      ["My eval: one", "b"],
      ["My-eval-one", "b"],
    ],
    [["日本語"], ["日本語"]],
    [["???"], [expect.stringMatching(/^id-[0-9a-f]{8}$/)]],
    [["con"], [expect.stringMatching(/^id-[0-9a-f]{8}$/)]],
    [["auth/login"], ["auth-login"]],
    [["x".repeat(300)], [expect.stringMatching(/^x{40}-[0-9a-f]{8}$/)]],
  ])("%j become directory names", async (ids, expected) => {
    const loaded = await cases(evalsOf(...ids.map((id) => ({ id, prompt: "P" }))));
    expect(loaded.map(({ id }) => id)).toEqual(expected);
    expect(loaded.map(({ declaredId }) => declaredId)).toEqual(ids);
  });

  it("become names that are safe and differ, however long they are and whatever their letters", async () => {
    const unit = fc.constantFrom("a", "A", "-", "?", "漢", "\u{1f642}", "é");
    const id = fc
      .string({ unit, minLength: 1, maxLength: 60, size: "max" })
      .filter((text) => text.trim() !== "");
    const alike = fc.constantFrom("漢".repeat(40), "漢".repeat(41), `${"漢".repeat(40)}-`, "x".repeat(41));
    const ids = fc.uniqueArray(fc.oneof(id, alike), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(ids, async (declared) => {
        const loaded = await cases(evalsOf(...declared.map((one) => ({ id: one, prompt: "P" }))));
        const names = loaded.map((one) => one.id.toLowerCase());
        expect(names.filter((name) => fileNameProblem(name) !== null)).toEqual([]);
        expect(new Set(names).size).toBe(declared.length);
      }),
    );
  });

  it("come from the position where the file has none, also beside declared ones", async () => {
    const { file, notes } = await loadText(
      JSON.stringify([{ id: 2, prompt: "P" }, { prompt: "P" }, { prompt: "P" }]),
    );
    expect(file?.cases.map(({ id }) => id)).toEqual(["2", expect.stringMatching(/^2-[0-9a-f]{8}$/), "3"]);
    expect(file?.cases.map(({ declaredId }) => declaredId)).toEqual([2, null, null]);
    expect(notes).toContain("2 of 3 evals have no id, so their position is used");
  });
});

describe("notes", () => {
  it("tell of a skill_name that is not the skill's", async () => {
    const text = JSON.stringify(evalsOf());
    const { notes } = await loadText(text, { skill: { ...SKILL, name: "docx" } });
    expect(notes).toContain('skill_name is "pdf", but the skill is called "docx"');
    expect((await loadText(text, { skill: SKILL })).notes).toEqual(["the file has no evals"]);
  });

  it("tell of evals without checks, of other spellings, and of nothing else", async () => {
    const { notes } = await loadText(JSON.stringify(evalsOf({ eval_id: 1, prompt: "P", eval_name: "n" })));
    expect(notes).toEqual([
      '"eval_id" is read as "id"',
      "1 of 1 evals have no checks, so they run without being graded",
    ]);
  });
});
