import { describe, expect, it } from "vitest";
import { loadText } from "./testing.ts";
import { evalsOf } from "./fixtures/evals.ts";

describe("refusals", () => {
  it.each([
    [evalsOf({ id: 1 }), 'evals[0] has no "prompt", which is required'],
    [evalsOf({ id: 1, prompt: " " }), "evals[0].prompt must not be blank"],
    [evalsOf({ id: 1, prompt: ["a"] }), "evals[0].prompt must be a string, not a list"],
    [evalsOf("do it"), 'evals[0] must be an object with a prompt, not the string "do it"'],
    [{ evals: { a: 1 } }, "evals must be a list of evals, not an object"],
    [evalsOf({ id: 1, prompt: "P" }, { id: "1", prompt: "P" }), 'the id "1" is used twice in this file'],
    [evalsOf({ id: 1.5, prompt: "P" }), "evals[0].id must be an integer or a string, not the number 1.5"],
    [evalsOf({ id: -1, prompt: "P" }), "evals[0].id must be between 0 and 9007199254740991, not -1"],
    [evalsOf({ id: "", prompt: "P" }), 'evals[0].id is blank: ""'],
    [evalsOf({ id: "../../evil", prompt: "P" }), 'evals[0].id leaves its root by "..": "../../evil"'],
    [
      evalsOf({ id: 1, prompt: "P", assertions: { a: "b" } }),
      "evals[0].assertions must be a list of statements, not an object",
    ],
    [evalsOf({ id: 1, prompt: "P", expectations: ["a", ""] }), "evals[0].expectations[1] must not be blank"],
    [
      evalsOf({ id: 1, prompt: "P", expectations: [3] }),
      "evals[0].expectations[0] must be a statement: a text, or an object with one, not the number 3",
    ],
    [
      evalsOf({ id: 1, prompt: "P", expectations: ["a"], assertions: ["b"] }),
      'evals[0] has both "expectations" and "assertions", and they differ',
    ],
    [
      evalsOf({ id: 1, prompt: "P", assertions: [{ type: "levenshtein", value: "x" }] }),
      'evals[0].assertions[0] has "type", "value" but no statement: it belongs to another tool',
    ],
    [evalsOf({ id: 1, prompt: "P", assertions: [{}] }), "evals[0].assertions[0] has no statement"],
    [
      evalsOf({
        id: 1,
        prompt: "P",
        assertions: [
          { id: 1, text: "a" },
          { id: "1", text: "b" },
        ],
      }),
      'evals[0].assertions has two entries with the id "1"',
    ],
    [evalsOf({ id: 1, prompt: "P", files: ["../x"] }), 'evals[0].files[0] leaves its root by "..": "../x"'],
    [evalsOf({ id: 1, prompt: "P", files: "x" }), 'evals[0].files must be a list, not the string "x"'],
    [
      evalsOf({ id: 1, prompt: "P", files: [{ name: "a" }] }),
      'evals[0].files[0] has no "content", which is required',
    ],
    [
      evalsOf({ id: 1, prompt: "P", files: [{ name: "/a", content: "" }] }),
      'evals[0].files[0] is absolute: "/a"',
    ],
    [evalsOf({ id: 1, prompt: "P", assay: { cheks: [] } }), 'evals[0].assay has the unknown key "cheks"'],
    [
      evalsOf({ id: 1, prompt: "P", should_trigger: true, assertions: ["a"] }),
      '"evals" fits two formats: its entries have labels such as "should_trigger", as trigger queries do, and checks, as evals do',
    ],
    [
      { cases: [{ id: 1, prompt: "P", expect: "x" }] },
      'a list "cases" whose entries have "id", "prompt", "expect" is another format: they have no "should_trigger", and skill-creator keeps evals under "evals", each with a "prompt"',
    ],
    [
      { evaluations: [{ name: "x" }] },
      'a list "evaluations" whose entries have "name" is another format: they have no "should_trigger", and skill-creator keeps evals under "evals", each with a "prompt"',
    ],
    [{ test_cases: [] }, 'a list "test_cases" has no entries'],
    [["a", "b"], "a list of plain values is neither evals nor labeled queries"],
    [[], "a list has no entries"],
    ["x", "the file contains neither a list nor an object"],
    [
      { eval_id: 1, prompt: "P", assertions: [] },
      "this is the metadata of one eval in a result folder, not an eval file",
    ],
    [{ id: 1, prompt: "P" }, "this is a single eval, not a file of evals"],
    [{ runs: [], run_summary: {} }, "this is a benchmark's result, not an eval file"],
    [{ expectations: [], summary: {} }, "this is a grading result, not an eval file"],
    [{ score: null }, 'the file has neither a list "evals" nor trigger queries: it has "score"'],
    [{}, 'the file has neither a list "evals" nor trigger queries: it has no keys'],
  ])("%j", async (value, reason) => {
    const { file, errors, diagnostics } = await loadText(JSON.stringify(value));
    expect(file).toBeNull();
    expect(errors).toEqual([reason]);
    expect(diagnostics.every(({ code, at }) => code.startsWith("skill-creator/") && at !== null)).toBe(true);
  });

  it("come all at once, each at its place", async () => {
    const text =
      '[\n{"id": 1, "prompt": ""},\n{"id": 1, "prompt": "P", "files": ["../x"]},\n{"id": 1, "prompt": "P"}]';
    const { diagnostics } = await loadText(text);
    const told = diagnostics.filter(({ severity }) => severity === "error");
    expect(told.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`)).toEqual([
      "skill-creator/blank 2:21",
      "skill-creator/bad-path 3:36",
      "skill-creator/duplicate-id 3:8",
      "skill-creator/duplicate-id 4:8",
    ]);
  });
});
