import { describe, expect, it } from "vitest";
import { safeRegex } from "../safe-regex/safe-regex.ts";
import { compilePython, type CompileOptions } from "./compile.ts";

/** The matches of finditer; null where the pattern is refused. */
function found(pattern: string, text: string, options: CompileOptions = {}): readonly string[] | null {
  const compiled = compilePython(pattern, { global: true, ...options });
  return compiled.ok ? [...compiled.regex.matches(text)].map(({ value }) => value) : null;
}

describe("Python's answer, where JavaScript has another", () => {
  it.each<[string, string, readonly string[]]>([
    ["(?m)^\\s*$", "a😀", []],
    ["(?m)^(?!.*Error)", "😀 Error", []],
    ["^", "😀😀", [""]],
    ["", "😀", ["", ""]],
    [".", "😀é", ["😀", "é"]],
    ["\\B", "", []],
    ["\\b", "", []],
    ["a*?", "aa", ["", "a", "", "a", ""]],
    ["(a)?b\\1", "b aba", ["aba"]],
    ["(a)?(?(1)b|c)", "ab c b", ["ab", "c"]],
    ["(?P<n>a)?(?(n)b|c)", "ab c", ["ab", "c"]],
    ["(?<=(?>ab))c", "abc", ["c"]],
    ["\\N{EM DASH}|\\N{bullet}", "— •", ["—", "•"]],
    ["(?i:(a)\\1)b", "aAb", ["aAb"]],
    ["(?:|a)*", "a", ["", "a", ""]],
  ])("%s on %j", (pattern, text, expected) => {
    expect(found(pattern, text)).toEqual(expected);
  });

  it("notes a lookbehind of variable width, which Python rejects", () => {
    const compiled = compilePython("(?<=a+)b");
    expect(compiled.ok && compiled.regex.isVariableLookbehind).toBe(true);
    expect(found("(?<=a+)b", "aab")).toEqual(["b"]);
    const fixed = compilePython("(?<=ab|cd)e");
    expect(fixed.ok && fixed.regex.isVariableLookbehind).toBe(false);
  });
});

describe("time", () => {
  it.each([
    ["nested repetitions", "^(a+)+$", `${"a".repeat(20_000)}!`],
    ["ten \\w in a row", `${"\\w+".repeat(10)}!`, "слово".repeat(4000)],
    ["choices that overlap", "(?:a|a|ab)*c", "ab".repeat(20_000)],
    ["a bounded repetition", "(?:.{0,50}x){3}", "y".repeat(20_000)],
    ["empty rounds", "(?:a*)*b", "a".repeat(20_000)],
  ])("grows with the text alone for %s", async (_, pattern, text) => {
    await using regex = safeRegex();
    const compiled = compilePython(pattern);
    if (!compiled.ok) throw new Error(compiled.message);
    expect(await regex.search(compiled.regex, [text])).toMatchObject({ status: "searched", count: 0 });
  });

  it("ends where a pattern refers back and would take for ever", async () => {
    await using regex = safeRegex();
    const compiled = compilePython("(a*)*\\1b");
    if (!compiled.ok) throw new Error(compiled.message);
    const searched = await regex.search(compiled.regex, ["a".repeat(60)], { deadlineMs: 100 });
    expect(searched).toEqual({
      status: "stopped",
      reason: "the pattern took longer than 0.1 s and was stopped",
    });
  });
});
