import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { diagnosticsText } from "./diagnostics.ts";
import { painter } from "../../operations/text.ts";
import { plural } from "../../lib/plural.ts";
import { table } from "./table.ts";

const PROBLEM: Diagnostic = {
  severity: "error",
  code: "area/what",
  message: "this is wrong",
  at: null,
  hint: null,
};

describe("a diagnostic", () => {
  const at = (cwd: string, isDecorated: boolean, columns = 120) => ({
    cwd,
    columns,
    decorated: { out: isDecorated, err: isDecorated },
  });

  it.each<[string, Partial<Diagnostic>, string]>([
    ["without a place", {}, "error: this is wrong [area/what]\n"],
    [
      "in the working directory",
      { at: { file: "/project/a/b.json", line: 3, column: 7 } },
      "a/b.json:3:7 error: this is wrong [area/what]\n",
    ],
    [
      "elsewhere",
      { at: { file: "/other/b.json", line: 1, column: 1 }, severity: "note" },
      "/other/b.json:1:1 note: this is wrong [area/what]\n",
    ],
    ["with a hint", { hint: "do that" }, "error: this is wrong [area/what]\n  hint: do that\n"],
    [
      "that quotes a line break and a control character",
      { message: "found \u001B[2J\nnote: all is well", hint: "a\nb" },
      "error: found \\u001b[2J\\nnote: all is well [area/what]\n  hint: a\\nb\n",
    ],
    [
      "in a file whose name is an attack",
      { at: { file: "/project/a\n\u202Eb.json", line: 1, column: 1 } },
      "a\\n\\u202eb.json:1:1 error: this is wrong [area/what]\n",
    ],
  ])("is one line: %s", (_, parts, expected) => {
    expect(diagnosticsText([{ ...PROBLEM, ...parts }], at("/project", false), "out")).toBe(expected);
  });

  it.each<[string, string, [number, number], string]>([
    ["a short line", "one\n  two\n", [2, 3], "  2 |   two\n    |   ^\n"],
    ["tabs", "\t\tx\n", [1, 3], "  1 |     x\n    |     ^\n"],
    ["what does not print", 'a\u001Bb"\n', [1, 4], '  1 | a\\u001bb"\n    |         ^\n'],
    ["a line after CRLF", "a\r\nbc\r\n", [2, 2], "  2 | bc\n    |  ^\n"],
    [
      "a long line",
      `${"x".repeat(500)}!${"y".repeat(500)}\n`,
      [1, 501],
      `  1 | ${"x".repeat(60)}!${"y".repeat(38)}…\n    | ${" ".repeat(60)}^\n`,
    ],
    ["two digits of line number", `${"\n".repeat(9)}ten\n`, [10, 1], "  10 | ten\n     | ^\n"],
    ["no line there", "one\n", [7, 1], ""],
    ["an empty line", "\n", [1, 1], ""],
  ])("shows its place on a terminal: %s", async (_, text, [line, column], frame) => {
    await using tree = await tempTree({ "a.json": text });
    const place = { file: tree.path("a.json"), line, column };
    const shown = diagnosticsText([{ ...PROBLEM, at: place }], at(tree.root, true), "out");
    const [, ...rest] = withoutColours(shown).split("\n");
    expect(rest.join("\n")).toBe(frame);
  });

  it("about a file that is gone has no frame", () => {
    const place = { file: "/nowhere/x.json", line: 1, column: 1 };
    const shown = diagnosticsText([{ ...PROBLEM, at: place }], at("/", true), "err");
    expect(withoutColours(shown).split("\n")).toHaveLength(2);
  });

  it.each([40, 80])("fits a terminal of %i columns, and is broken between words", async (columns) => {
    await using tree = await tempTree({ "a.json": `${"word ".repeat(60)}\n` });
    const place = { file: tree.path("a.json"), line: 1, column: 150 };
    const long = "this is wrong for a reason that takes more than a line to say, whatever the width may be ";
    const problem = { ...PROBLEM, message: long.repeat(2).trim(), hint: long.trim(), at: place };
    const shown = withoutColours(diagnosticsText([problem], at(tree.root, true, columns), "out"));
    for (const line of shown.split("\n")) expect(line.length).toBeLessThan(columns);
    expect(shown.replaceAll(/\s+/g, " ")).toContain(`error: ${problem.message} [area/what]`);
  });
});

describe("a table", () => {
  it("pads columns, sets numbers to the right and leaves no space at line ends", () => {
    expect(
      table(
        ["name", "n", "what"],
        [
          ["a", 5, "x"],
          ["long name", 12, ""],
        ],
      ),
    ).toBe("name        n  what\n---------  --  ----\na           5  x\nlong name  12\n");
  });

  it("keeps a cell on its line", () => {
    expect(table(["a"], [["one\ntwo\u0007"]])).toBe("a\n-------------\none two\\u0007\n");
  });
});

describe("words", () => {
  it.each([
    [0, "0 cases"],
    [1, "1 case"],
    [2, "2 cases"],
  ])("count %i", (count, words) => {
    expect(plural(count, "case")).toBe(words);
  });

  it("are coloured only where that was decided", () => {
    expect(painter(false)("red", "x")).toBe("x");
    expect(painter(true)("red", "x")).toBe("\u001B[31mx\u001B[39m");
  });
});

function withoutColours(text: string): string {
  return [2, 22, 31, 33, 36, 39].reduce((rest, code) => rest.replaceAll(`\u001B[${code}m`, ""), text);
}
