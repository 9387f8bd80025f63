import { describe, expect, it } from "vitest";
import { parseJson } from "./json.ts";
import { type Parsed, toPlain } from "./node.ts";
import { parseYaml } from "./yaml.ts";

function problem(parsed: Parsed): string {
  if (parsed.ok) return "ok";
  const [first] = parsed.problems;
  return `${first?.offset} ${first?.code}: ${first?.message}`;
}

function plain(parsed: Parsed): unknown {
  return parsed.ok ? toPlain(parsed.root) : parsed.problems;
}

describe("parseJson", () => {
  it("keeps integers apart from floats", () => {
    const parsed = parseJson("[2, 2.0, 2e0, -7]");
    expect(
      parsed.ok && parsed.root.kind === "array" && parsed.root.elements.map((node) => node.kind),
    ).toEqual(["int", "float", "float", "int"]);
  });

  it.each([
    ["", "0 empty: the file is empty"],
    ["  \n", "0 empty: the file is empty"],
    ['{"a": 1, "a": 2}', '9 duplicate-key: the key "a" appears twice'],
    ['{"__proto__": {}}', '1 forbidden-key: the key "__proto__" is not allowed'],
    ['{"a": 1,}', "8 syntax: trailing comma"],
    ['{"a": // no\n1}', "6 syntax: comments are not JSON"],
    ['{"a": +0.111}', '6 syntax: expected a JSON value, found "+0.111"'],
    ['{"a": 1', "7 syntax: the file ends in the middle of a value: it is cut off"],
    ['{"a": "one', "6 syntax: a string is never closed: the file is cut off"],
    ['{"a": "one\ntwo"}', "10 syntax: raw line break in a string, or a string that is never closed"],
    ['[{"a": 1} {"b": 2}]', '10 syntax: expected a comma before "{"'],
    [
      "../evals/evals.json",
      '0 symlink-stub: not JSON but a path, "../evals/evals.json": this looks like an unresolved symlink',
    ],
    [`${"[".repeat(100_000)}`, "200 too-deep: nested more than 200 levels deep"],
    ["[1e999]", "1 syntax: the number 1e999 is out of range"],
  ])("says what is wrong with %j", (text, expected) => {
    expect(problem(parseJson(text))).toBe(expected);
  });
});

describe("parseYaml", () => {
  it("keeps the spelling of timestamps and block scalars", () => {
    expect(
      plain(parseYaml("timestamp: 2025-01-15T10:30:00Z\nexpected: |\n  two\n  lines\nn: 2\nf: 2.0\n")),
    ).toEqual({
      timestamp: "2025-01-15T10:30:00Z",
      expected: "two\nlines\n",
      n: 2,
      f: 2,
    });
  });

  it.each([
    ["", "0 empty: the file is empty"],
    ["a: 1\na: 2\n", "5 duplicate-key: map keys must be unique"],
    ["__proto__: 1\n", '0 forbidden-key: the key "__proto__" is not allowed'],
    ["a: 1\n---\nb: 2\n", "5 several-documents: the file holds more than one YAML document"],
    [`a: ${"[".repeat(5000)}`, "1003 too-deep: nested more than 200 levels deep"],
    ["- ".repeat(5000), "0 too-deep: nested more than 200 levels deep"],
  ])("says what is wrong with %j", (text, expected) => {
    expect(problem(parseYaml(text))).toBe(expected);
  });

  it("stops an alias bomb", () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) =>
        `l${i}: &l${i} [${Array(10)
          .fill(i === 0 ? "x" : `*l${i - 1}`)
          .join(", ")}]`,
    );
    expect(problem(parseYaml(levels.join("\n")))).toContain("alias-bomb");
  });
});
