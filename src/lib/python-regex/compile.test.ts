import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Compiled, compilePython, type CompileOptions } from "./compile.ts";
import type { PythonRegex } from "./regex.ts";
import golden from "./fixtures/golden.json" with { type: "json" };

interface Row {
  readonly pattern: string;
  readonly text: string;
  readonly error?: string;
  readonly found?: readonly string[];
  readonly multiline?: readonly string[];
  readonly full?: boolean;
}

const rows: readonly Row[] = golden;

function regexOf(pattern: string, options: CompileOptions = {}): PythonRegex {
  const compiled = compilePython(pattern, options);
  if (!compiled.ok) throw new Error(`${pattern}: ${compiled.message} at ${compiled.offset}`);
  return compiled.regex;
}

function found(pattern: string, text: string, options: CompileOptions = {}): string[] {
  return [...regexOf(pattern, { ...options, global: true }).matches(text)].map(({ value }) => value);
}

function refusal(compiled: Compiled): string {
  return compiled.ok ? "accepted" : `${compiled.offset}: ${compiled.message}`;
}

describe("compilePython agrees with Python's re", () => {
  const accepted = rows.filter((row) => row.error === undefined);
  const refused = rows.filter((row) => row.error !== undefined);

  it("has a golden list worth the name", () => {
    expect(accepted.length).toBeGreaterThan(150);
    expect(refused.length).toBeGreaterThan(40);
  });

  it.each(accepted)("finds what Python finds: $pattern", ({ pattern, text, ...python }) => {
    expect({
      found: found(pattern, text),
      multiline: found(pattern, text, { multiline: true }),
      full: regexOf(pattern, { full: true }).test(text),
    }).toEqual({ found: python.found, multiline: python.multiline, full: python.full });
  });

  it.each(refused)("refuses what Python refuses: $pattern ($error)", ({ pattern }) => {
    expect(compilePython(pattern).ok).toBe(false);
  });
});

describe("compilePython", () => {
  it.each([
    ["a(b", "1: a ( is never closed"],
    ["ab)", "2: a ) closes nothing"],
    ["x[a-", "1: a [ is never closed"],
    ["ab\\q", "2: \\q is not an escape that Python knows"],
    ["a**", "2: a quantifier follows a quantifier"],
    ["(?P<n>a)(?P<n>b)", '8: two groups are named "n"'],
    ["a(?i)b", "1: flags for the whole pattern, (?i), must come first in it"],
    ["(?<n>a)", "0: a named group is written (?P<name>...)"],
    ["\\N{SNOWPERSON}", "0: \\N{SNOWPERSON} is not a name in our list; write the character or its \\uXXXX"],
    ["\\NX", "0: after \\N comes a name in braces, as in \\N{BULLET}"],
    ["(?(1)b|c)", "0: there is no group 1"],
    ["(a)(?(1)b|c|d)", "3: a conditional group has at most two branches"],
    ["a{4294967295}", "1: the count in {4294967295} is too large"],
    [`${"(".repeat(5000)}${")".repeat(5000)}`, "101: groups are nested more than 100 deep"],
  ])("says what is wrong with %s and where", (pattern, expected) => {
    expect(refusal(compilePython(pattern))).toBe(expected);
  });

  it("refuses an expression that the engine finds too large, at compile time", () => {
    expect(refusal(compilePython("(a)".repeat(70_000)))).toMatch(/^0: the pattern is too large/);
  });

  it("takes back the multiline option where the pattern says so", () => {
    expect(found("(?-m:^)a", "a\na", { multiline: true })).toEqual(["a"]);
  });

  it("never throws, whatever the pattern", () => {
    const pieces =
      "( ) [ ] { } ? * + | ^ $ . \\ \\d \\1 a é 😀 (?: (?= (?<! (?P<n> (?P=n) (?i) (?x: (?> [^ - , 1 # \n".split(
        " ",
      );
    const pattern = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(pattern, fc.boolean(), (text, full) => {
        const compiled = compilePython(text, { full });
        const sound = compiled.ok
          ? typeof compiled.regex.test("aé1\n") === "boolean"
          : compiled.offset <= text.length;
        expect(sound).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("means every escaped text literally", () => {
    const escaped = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gsu, "\\$&");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(regexOf(escaped(text), { full: true }).test(text)).toBe(true);
      }),
    );
  });
});
