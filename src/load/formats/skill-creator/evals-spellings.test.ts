import { describe, expect, it } from "vitest";
import { loadText } from "./testing.ts";
import { cases, evalsOf } from "./fixtures/evals.ts";

describe("spellings", () => {
  it.each([
    ["a bare list", [{ id: 1, prompt: "P" }]],
    ["no skill_name", { evals: [{ id: 1, prompt: "P" }] }],
    ["skill", { skill: "pdf", evals: [{ id: 1, prompt: "P" }] }],
    ["eval_id", evalsOf({ eval_id: 1, prompt: "P" })],
    ["query", evalsOf({ id: 1, query: "P", expected_output: "x" })],
    ["question", [{ id: 1, question: "P", expected_behavior: ["x"] }]],
    [
      "nulls",
      { skill_name: null, evals: [{ id: 1, prompt: "P", files: null, expectations: null, name: null }] },
    ],
    [
      "a byte order mark is stripped by the reader, CRLF stays",
      JSON.parse('{"evals":[\r\n{"id":1,"prompt":"P"}]}'),
    ],
  ])("reads %s", async (_, value) => {
    const [first] = await cases(value);
    expect(first).toMatchObject({ id: "1", declaredId: 1, prompt: { kind: "turns", turns: ["P"] } });
  });

  it.each([
    ["expectations", ["a", "b"]],
    ["assertions", ["a", "b"]],
    ["expected_behavior", ["a", "b"]],
    ["expected_behaviors", ["a", "b"]],
  ])("reads checks from %s", async (key, statements) => {
    const [first] = await cases(evalsOf({ id: 1, prompt: "P", [key]: statements }));
    expect(first?.checks.map(({ text }) => text)).toEqual(statements);
  });

  it.each([
    [{ text: "S", description: "D", name: "N" }, "S"],
    [{ description: "D", name: "N", type: "x" }, "D"],
    [{ expectation: "E", name: "N" }, "E"],
    [{ assertion: "A" }, "A"],
    [{ criterion: "C" }, "C"],
    [{ name: "N", check: "x", value: 3 }, "N"],
    [{ text: "  ", description: "D" }, "D"],
    [{ id: "a", text: "S", passed: false, evidence: "" }, "S"],
  ])("takes the statement of %j", async (entry, statement) => {
    const [first] = await cases(evalsOf({ id: 1, prompt: "P", assertions: [entry] }));
    expect(first?.checks).toMatchObject([{ text: statement, origin: entry, kind: "criterion" }]);
  });

  it("keeps declared check ids and numbers the rest around them", async () => {
    const assertions = [{ id: 7, text: "a" }, "b", { id: "expectation-4", text: "c" }, "d"];
    const [first] = await cases(evalsOf({ id: 1, prompt: "P", assertions }));
    expect(first?.checks.map(({ id }) => id)).toEqual([
      "7",
      "expectation-2",
      "expectation-4",
      "expectation-4'",
    ]);
  });

  it("reads two equal lists as one, and an empty one as none", async () => {
    const [same, empty, none] = await cases(
      evalsOf(
        { id: 1, prompt: "P", assertions: ["a"], expectations: ["a"] },
        { id: 2, prompt: "P", assertions: ["a"], expectations: [] },
        { id: 3, prompt: "P", assertions: [], expectations: [] },
      ),
    );
    expect([same, empty, none].map((each) => each?.checks.length)).toEqual([1, 1, 0]);
  });

  it("takes a text in place of expected_output as one, and leaves it ungraded", async () => {
    const [first, second] = await cases([
      { id: 1, prompt: "P", expected: "It works" },
      { id: 2, prompt: "P", expected_behavior: "It works" },
    ]);
    expect(first).toMatchObject({ expectedOutput: "It works", checks: [] });
    expect(second).toMatchObject({ expectedOutput: "It works", checks: [] });
  });

  it.each(["timeout", "timeout_seconds"])("takes %s as the seconds that a case may take", async (key) => {
    const { file, errors, notes } = await loadText(
      JSON.stringify(evalsOf({ id: 1, prompt: "P", expectations: ["a"], [key]: 45 })),
    );
    expect(errors).toEqual([]);
    expect(notes.filter((note) => note.includes("unknown"))).toEqual([]);
    expect(file?.cases[0]?.settings.timeoutSeconds).toBe(45);
    expect(file?.cases[0]?.extras[key]).toBeUndefined();
  });

  it.each([0, -3, "5m", true])("refuses a timeout of %j", async (timeout) => {
    const { file, errors } = await loadText(JSON.stringify(evalsOf({ id: 1, prompt: "P", timeout })));
    expect(file).toBeNull();
    expect(errors).toEqual([expect.stringContaining("evals[0].timeout must be")]);
  });

  it("keeps what it does not know", async () => {
    const { file, notes } = await loadText(
      JSON.stringify({
        ...evalsOf(
          { id: 1, prompt: "P", expectations: ["a"], trap: "x", _mine: 1 },
          { id: 2, prompt: "P", expectations: ["a"], trap: "y" },
        ),
        gates: {},
        _design_notes: "z",
      }),
    );
    expect(file?.extras).toEqual({ gates: {}, _design_notes: "z" });
    expect(file?.cases[0]?.extras).toEqual({ trap: "x", _mine: 1 });
    expect(notes).toEqual([
      'the file has the unknown key "gates": it is ignored',
      'an eval has the unknown key "trap": it is ignored (2 times in this file)',
    ]);
  });
});
