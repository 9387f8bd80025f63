import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMsSince } from "../../../test/support/cpu-time.ts";
import { parseJson } from "./json.ts";
import { describe as described, entryOf, type Parsed, toPlain, valueOf } from "./node.ts";
import { positions } from "./position.ts";
import { parseYaml } from "./yaml.ts";

function problem(parsed: Parsed): string {
  if (parsed.ok) return "ok";
  const [first] = parsed.problems;
  return `${first?.offset} ${first?.code}: ${first?.message}`;
}

function plain(parsed: Parsed): unknown {
  return parsed.ok ? toPlain(parsed.root) : parsed.problems;
}

/** Each line one level deeper than the one before. */
function staircase(depth: number, step: string): string {
  return Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}${step}\n`).join("");
}

function many(line: (i: number) => string): string {
  return Array.from({ length: 100_000 }, (_, i) => line(i)).join("\n");
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
    ["[".repeat(100_000), "200 too-deep: nested more than 200 levels deep"],
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
    ["a: 1\na: 2\n", '5 duplicate-key: the key "a" appears twice'],
    ["__proto__: 1\n", '0 forbidden-key: the key "__proto__" is not allowed'],
    ["a: 1\n---\nb: 2\n", "5 several-documents: the file has more than one YAML document"],
    [`a: ${"[".repeat(5000)}`, "1003 too-deep: nested more than 200 levels deep"],
    ["- ".repeat(5000), "0 too-deep: nested more than 200 levels deep"],
    ["a: .inf\n", "3 unsupported-value: .inf is not a finite number"],
    ["a: [1, -.Inf]\n", "7 unsupported-value: -.Inf is not a finite number"],
    ["a: .nan\n", "3 unsupported-value: .nan is not a finite number"],
    ["a: 1e999\n", "3 unsupported-value: 1e999 is not a finite number"],
    [
      "a: !!binary aGk=\n",
      "12 unsupported-value: tag:yaml.org,2002:binary aGk= is neither text, number, true, false nor null",
    ],
    ["a: !mine x\n", "3 syntax: unresolved tag: !mine"],
    ["a: *nowhere\n", "3 syntax: the alias *nowhere has no anchor before it"],
    ["a: &a\n  b: *a\n", "11 too-deep: *a holds itself"],
    ["a:\n\t- b\n", "3 syntax: tabs are not allowed as indentation"],
  ])("says what is wrong with %j", (text, expected) => {
    expect(problem(parseYaml(text))).toBe(expected);
  });

  it.each([
    ["staircases of lines", staircase(3000, "a:"), "too-deep"],
    ["a staircase the parser can still take", staircase(300, "a:"), "too-deep"],
    ["staircases of dashes", staircase(3000, "-"), "too-deep"],
    ["a hundred thousand keys", many((i) => `k${i}: 1`), "ok"],
    ["a hundred thousand anchors", many((i) => `k${i}: &a${i} 1`), "ok"],
    ["a hundred thousand times the same key", many(() => "k: 1"), "duplicate-key"],
    ["more values than a file may hold", many((i) => `k${i}: [1, 2, 3]`), "too-many-values"],
  ])(
    "takes time in proportion to the text: %s",
    (_, text, expected) => {
      const started = process.cpuUsage();
      expect(problem(parseYaml(text))).toContain(expected);
      expect(cpuMsSince(started)).toBeLessThan(15_000);
    },
    60_000,
  );

  it("reads an alias as what it stands for, at the alias's own place", () => {
    const parsed = parseYaml("a: &x [1]\nb: *x\n");
    expect(plain(parsed)).toEqual({ a: [1], b: [1] });
    expect(parsed.ok && valueOf(parsed.root, "b")).toMatchObject({ start: 13, end: 15 });
  });

  it("tells integers from floats in every spelling", () => {
    const parsed = parseYaml("[2, +2, -2, 0x1f, 0o17, 2.0, 2e0, .5]");
    expect(parsed.ok && parsed.root.kind === "array" && parsed.root.elements.map(({ kind }) => kind)).toEqual(
      ["int", "int", "int", "int", "int", "float", "float", "float"],
    );
  });

  it.each([
    ["of lists", (before: string) => `[${Array(9).fill(before).join(", ")}]`],
    ["of mappings", (before: string) => `{p: ${before}, q: ${before}, r: ${before}}`],
    ["that stays just below the limit of a written file", (before: string) => `[${before}, ${before}]`, 17],
  ] as [string, (before: string) => string, number?][])(
    "refuses an alias bomb %s at once",
    (_name, repeat, height = 20) => {
      const levels = Array.from(
        { length: height },
        (_, level) => `l${level}: &l${level} ${repeat(level === 0 ? "x" : `*l${level - 1}`)}`,
      );
      parseYaml("warm: up");
      const started = process.cpuUsage();
      expect(problem(parseYaml(levels.join("\n")))).toContain("alias-bomb");
      expect(cpuMsSince(started)).toBeLessThan(200);
    },
  );

  it("refuses an alias inside what it stands for", () => {
    expect(problem(parseYaml("a: &x [1, *x, *x]\n"))).toContain("10 too-deep");
  });

  it("reads aliases of aliases where the file stays small", () => {
    expect(plain(parseYaml("a: &x 1\nb: &y [*x, *x]\nc: *y\n"))).toEqual({ a: 1, b: [1, 1], c: [1, 1] });
  });
});

describe("both readers", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.string().map((value) => `a: ${value}`),
  );

  it("never throw, and point at places inside the text", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(parseJson, parseYaml), (sample, parse) => {
        const parsed = parse(sample);
        if (parsed.ok) return;
        expect(parsed.problems).not.toEqual([]);
        for (const { offset } of parsed.problems) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(sample.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("agree with JSON.parse wherever it has an answer that keeps every key", () => {
    fc.assert(
      fc.property(fc.json(), (sample) => {
        const parsed = parseJson(sample);
        const answer = parsed.ok ? toPlain(parsed.root) : parsed.problems[0]?.code;
        expect([JSON.parse(sample), "duplicate-key", "forbidden-key"]).toContainEqual(answer);
      }),
    );
  });
});

describe("nodes", () => {
  const root = (json: string) => {
    const parsed = parseJson(json);
    if (!parsed.ok) throw new Error("not JSON");
    return parsed.root;
  };

  it("find entries of objects only", () => {
    expect(entryOf(root('{"a": 1}'), "a")).toMatchObject({ key: "a", keySpan: { start: 1, end: 4 } });
    expect(valueOf(root('{"a": 1}'), "b")).toBeUndefined();
    expect(valueOf(root('["a"]'), "a")).toBeUndefined();
  });

  it.each([
    ["{}", "an object"],
    ["[]", "a list"],
    ["null", "null"],
    ["true", "true"],
    ["3", "the number 3"],
    ["3.0", "the float 3.0"],
    ["3.5", "the number 3.5"],
    ['"x"', 'the string "x"'],
    [JSON.stringify("x".repeat(60)), `the string "${"x".repeat(37)}..."`],
  ])("describe %s as people would", (json, words) => {
    expect(described(root(json))).toBe(words);
  });
});

describe("positions", () => {
  it("count lines and columns from 1, whatever ends the lines", () => {
    const at = positions("ab\ncd\r\n\nend");
    expect([0, 1, 3, 7, 8, 11].map(at)).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 4, column: 4 },
    ]);
  });

  it("of every offset are where counting line breaks says", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "\n", "\r\n", "😀")).map((parts) => parts.join("")),
        (text) => {
          const at = positions(text);
          for (let offset = 0; offset <= text.length; offset++) {
            const before = text.slice(0, offset).split("\n");
            expect(at(offset)).toEqual({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
          }
        },
      ),
    );
  });
});
