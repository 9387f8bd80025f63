import { describe, expect, it } from "vitest";
import { normalizeRelative, pathProblem, pathProblemText } from "./relative-path.ts";

describe("pathProblem", () => {
  it.each([
    ["a/b.txt", null],
    ["./a", null],
    ["a/../b", null],
    ["a/b/../../c", null],
    ["..a/b", null],
    ["a~/b", null],
    ["~backup.txt", null],
    ["", "blank"],
    ["  ", "blank"],
    ["a\0b", "nul"],
    ["/etc/passwd", "absolute"],
    ["\\\\host\\share", "absolute"],
    ["C:\\x", "absolute"],
    ["c:x", "absolute"],
    ["~", "home"],
    ["~/x", "home"],
    ["~root/x", "home"],
    ["..", "escapes"],
    ["../x", "escapes"],
    ["a/../../x", "escapes"],
    ["a\\..\\..\\x", "escapes"],
  ] as const)("%j is %s", (path, problem) => {
    expect(pathProblem(path)).toBe(problem);
  });

  it("says each problem differently", () => {
    const problems = ["blank", "nul", "absolute", "home", "escapes"] as const;
    expect(new Set(problems.map(pathProblemText)).size).toBe(problems.length);
  });
});

describe("normalizeRelative", () => {
  it.each([
    ["a//b/./c", "a/b/c"],
    ["a/../b", "b"],
    ["a\\b", "a/b"],
    ["./", ""],
  ])("%j becomes %j", (path, normal) => {
    expect(normalizeRelative(path)).toBe(normal);
  });
});
