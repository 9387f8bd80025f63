import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { expandBraces, globToRegExp } from "./glob.ts";

describe("globToRegExp", () => {
  it.each([
    ["a.md", "a.md", true],
    ["a.md", "axmd", false],
    ["*.md", "a.md", true],
    ["*.md", "dir/a.md", false],
    ["*.md", ".a.md", false],
    [".*.md", ".a.md", true],
    ["research/*.md", "research/x.md", true],
    ["research/*.md", "research/deep/x.md", false],
    ["**/*.md", "x.md", true],
    ["**/*.md", "a/b/x.md", true],
    ["**/*.md", "a/.b/x.md", false],
    ["a/**", "a/b", true],
    ["a/**", "a/b/c", true],
    ["a/**", "a", false],
    ["a/**/z", "a/z", true],
    ["a/**/z", "a/b/c/z", true],
    ["?.md", "é.md", true],
    ["?.md", "😀.md", true],
    ["?.md", "/.md", false],
    ["[ab].md", "b.md", true],
    ["[!ab].md", "b.md", false],
    ["[!ab].md", "c.md", true],
    ["[a-c]x", "bx", true],
    ["[]]x", "]x", true],
    ["[x", "[x", true],
    ["[z-a]", "[z-a]", true],
    ["a[/]b", "a/b", false],
    ["\\*.md", "*.md", true],
    ["\\*.md", "a.md", false],
    ["*.{md,txt}", "a.txt", true],
    ["*.{md,txt}", "a.json", false],
    ["{a,b{c,d}}/x", "bd/x", true],
    ["{a", "{a", true],
    ["{a}", "{a}", true],
    ["a+(b)|c$", "a+(b)|c$", true],
    ["*", "line\nbreak", true],
    ["ä*", "äöü", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(globToRegExp(pattern).test(path)).toBe(expected);
  });

  it("matches every path that has no special character by itself, and never throws", () => {
    fc.assert(
      fc.property(fc.string(), (pattern) => {
        const matches = globToRegExp(pattern).test(pattern);
        expect(matches || /[*?[\]{}\\]/u.test(pattern)).toBe(true);
      }),
    );
  });
});

describe("expandBraces", () => {
  it("bounds how many choices there can be", () => {
    const bomb = "{a,b}".repeat(40);
    expect(expandBraces(bomb)).toEqual([bomb]);
  });
});
