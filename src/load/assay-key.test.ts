import { describe, expect, it } from "vitest";
import { read } from "./fixtures/assay-key.ts";

describe("the key's own words", () => {
  it.each([
    [{ cheks: [] }, "task", 'unknown-key: assay has the unknown key "cheks"', 'did you mean "checks"?'],
    [
      { mcpServers: {} },
      "file",
      'unknown-key: assay has the unknown key "mcpServers"',
      'did you mean "mcp_servers"?',
    ],
    [
      { reference: {} },
      "file",
      'misplaced-key: the assay key "reference" does nothing at the top of the file',
      "it belongs on a task",
    ],
    [
      { checks: [] },
      "trigger",
      'misplaced-key: the assay key "checks" does nothing on a trigger case',
      "it belongs at the top of the file or on a task",
    ],
    [
      { forbidden: [] },
      "task",
      'misplaced-key: the assay key "forbidden" does nothing on a task',
      "it belongs on a trigger case",
    ],
    [
      { reference: { files: { "../x": "" } } },
      "task",
      'bad-path: assay.reference leaves its root by "..": "../x"',
      "give a path relative to the workspace",
    ],
    [
      { mcp_servers: { a: "b" } },
      "task",
      'wrong-type: assay.mcp_servers.a must be an object, not the string "b"',
      undefined,
    ],
    ["checks", "task", 'wrong-type: assay must be an object, not the string "checks"', undefined],
  ] as const)("refuses %j on %s", (value, scope, told, hint) => {
    const { key, problems } = read(value, scope);
    expect(key).toBeNull();
    expect(problems.map((problem) => `${problem.code}: ${problem.message}`)).toEqual([told]);
    expect(problems[0]?.hint).toBe(hint);
  });

  it("says every problem at once", () => {
    const { problems } = read({ cheks: 1, skill: "x", with_only: 3 }, "task");
    expect(problems.map((problem) => problem.code)).toEqual(["misplaced-key", "wrong-type", "unknown-key"]);
  });
});
