import { describe, expect, it } from "vitest";
import { NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { PLACES, loadText, load, evals, problems } from "./fixtures/load.ts";

describe("evals.json", () => {
  it("makes a case of each eval", async () => {
    const text = `{
  "skill_name": "brief",
  "_design_notes": "why",
  "evals": [
    { "id": "A1", "prompt": "Run headless. Go", "expected_output": "A brief", "expectations": ["One", "Two"],
      "timeout": 900, "_pattern": "artifact" }
  ]
}`;
    const { file, diagnostics } = await loadText(text);
    expect(diagnostics).toEqual([]);
    expect(file).toMatchObject({
      format: "bmad",
      dialect: "evals",
      skillName: "brief",
      extras: { _design_notes: "why" },
    });
    const criterion = { layer: "L3", kind: "criterion", appliesTo: "every-variant", origin: null };
    expect(file?.cases).toEqual([
      {
        ...plainCase({
          id: "A1",
          declaredId: "A1",
          kind: "task",
          format: "bmad",
          at: { file: PLACES.evals, line: 5, column: 5 },
          prompt: { kind: "turns", turns: ["Run headless. Go"] },
        }),
        expectedOutput: "A brief",
        checks: [
          { ...criterion, id: "expectation-1", text: "One" },
          { ...criterion, id: "expectation-2", text: "Two" },
        ],
        settings: { ...NO_SETTINGS, timeoutSeconds: 900 },
        extras: { _pattern: "artifact" },
      },
    ]);
  });

  it("takes integers as ids and nulls as left out", async () => {
    const { file, diagnostics } = await load({
      skill_name: null,
      ...evals({ id: 0, files: null, timeout: null, expected_output: null }, { id: 12 }),
    });
    expect(diagnostics).toEqual([]);
    expect(file?.cases.map(({ id, declaredId }) => [id, declaredId])).toEqual([
      ["0", 0],
      ["12", 12],
    ]);
  });

  it("reads the assay key of the file and of an eval", async () => {
    const { file, diagnostics } = await load({
      ...evals(
        { assay: { checks: [{ type: "no_denied_tools" }], reference: { output: "went" } } },
        { id: "A2" },
      ),
      assay: { checks: [{ type: "max_turns", limit: 9 }] },
    });
    expect(diagnostics).toEqual([]);
    expect(file?.cases.map(({ checks }) => checks.map(({ kind }) => kind))).toEqual([
      ["criterion", "max_turns", "no_denied_tools"],
      ["criterion", "max_turns"],
    ]);
    expect(file?.cases[0]?.reference).toEqual({ output: "went", files: {} });
  });

  it.each<[string, unknown, string[]]>([
    ["no list", {}, ['the file has no "evals"']],
    ["no list of evals", { evals: {} }, ["evals must be a list, not an object"]],
    ["no eval", { evals: ["x"] }, ["evals[0] must be an object"]],
    [
      "nothing required",
      { evals: [{}] },
      ["id", "prompt", "expectations"].map((key) => `evals[0] has no "${key}"`),
    ],
    ["a blank prompt", evals({ prompt: " \n" }), ["evals[0].prompt must not be blank"]],
    ["a prompt of another type", evals({ prompt: ["a"] }), ["evals[0].prompt must be a string"]],
    ["no expectations", evals({ expectations: [] }), ["evals[0].expectations must not be empty"]],
    [
      "a blank expectation",
      evals({ expectations: ["a", ""] }),
      ["evals[0].expectations[1] must not be blank"],
    ],
    [
      "an object as expectation",
      evals({ expectations: [{ text: "a" }] }),
      ["must be a string, not an object"],
    ],
    ["timeout zero", evals({ timeout: 0 }), ["evals[0].timeout must be at least 1, not 0"]],
    ["a quoted timeout", evals({ timeout: "900" }), ["write 900 without quotes"]],
    ["a half timeout", evals({ timeout: 1.5 }), ["evals[0].timeout must be an integer"]],
    ["a boolean id", evals({ id: true }), ["evals[0].id must be a string or an integer, not true"]],
    ["a float id", evals({ id: 1.5 }), ["evals[0].id must be a string or an integer"]],
    ["a huge id", evals({ id: 2 ** 60 }), ["too large"]],
    ["an escaping id", evals({ id: "../../evil" }), ["evals[0].id contains a path separator"]],
    ["a hidden id", evals({ id: ".git" }), ["evals[0].id starts with a dot"]],
    ["an empty id", evals({ id: "" }), ["evals[0].id is empty"]],
    ["a control character", evals({ id: "a\u0000" }), ["control character"]],
    ["a long id", evals({ id: "x".repeat(200) }), ["longer than"]],
    ["one id twice", evals({}, {}), ['the id "A1" is used twice']],
    ["one id twice after String()", evals({ id: 1 }, { id: "1" }), ['the id "1" is used twice']],
    ["an absolute file", evals({ files: ["/etc/passwd"] }), ["evals[0].files[0] is absolute"]],
    ["a drive", evals({ files: ["C:\\x"] }), ["is absolute"]],
    ["a file at home", evals({ files: ["~/x"] }), ["starts in a home directory"]],
    ["an escaping file", evals({ files: ["a", "a/../../x"] }), ['evals[0].files[1] leaves its root by ".."']],
    ["a file of no name", evals({ files: ["./"] }), ["names no file"]],
    ["files of another type", evals({ files: "a" }), ["evals[0].files must be a list"]],
    ["a wrong assay key", evals({ assay: { checks: 1 } }), ["evals[0].assay.checks must be a list"]],
    ["an unknown check id", evals({ assay: { with_only: ["x"] } }), ['with_only names "x"']],
  ])("refuses %s", async (_, content, expected) => {
    const { file } = await load(content);
    const found = (await problems(content)).filter((line) => line.startsWith("error"));
    expect(file).toBeNull();
    expect(found).toHaveLength(expected.length);
    expected.forEach((part, index) => expect(found[index]).toContain(part));
  });

  it("reports every problem at once, each at its place", async () => {
    const { diagnostics } = await load({
      evals: [{ id: "../x", prompt: "", expectations: [""], timeout: -1 }],
    });
    expect(diagnostics.map(({ code, at }) => [code, at?.line, at?.column])).toEqual([
      ["bmad/unsafe-id", 4, 13],
      ["bmad/blank", 5, 17],
      ["bmad/blank", 7, 9],
      ["bmad/out-of-range", 9, 18],
    ]);
  });

  it.each<[string, unknown, string[]]>([
    [
      "unknown keys",
      evals({ assertions: [] }),
      ['evals[0] has the unknown key "assertions" (did you mean "expectations"?)'],
    ],
    [
      "top-level keys",
      { ...evals({}), skil_name: "x", _x: 1 },
      ['unknown key "skil_name" (did you mean "skill_name"?)'],
    ],
    [
      "ids that differ in case",
      evals({ id: "a1" }, { id: "A1" }),
      ['the ids "a1" and "A1" differ only in case'],
    ],
    ["an empty list", { evals: [] }, ["note bmad/no-cases"]],
    [
      "missing files",
      evals({ files: ["a.md"] }),
      ['bmad/missing-file: the file "a.md" is neither in the project'],
    ],
  ])("notes %s", async (_, content, expected) => {
    const { file } = await load(content);
    const found = await problems(content);
    expect(file).not.toBeNull();
    expect(found).toHaveLength(expected.length);
    expected.forEach((part, index) => expect(found[index]).toContain(part));
  });
});
