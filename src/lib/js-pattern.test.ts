import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { absent, exactly, literally, occurs, pythonSpelling, unknownFlags } from "./js-pattern.ts";
import { compilePython } from "./python-regex/compile.ts";

function found(pattern: string, text: string): boolean {
  const compiled = compilePython(pattern);
  if (!compiled.ok) throw new Error(`${pattern}: ${compiled.message}`);
  return compiled.regex.test(text);
}

const PATTERNS = [
  [String.raw`a\/b`, ""],
  [String.raw`^(?<year>\d{4})-\k<year>$`, ""],
  ["done$", ""],
  ["^done$", "m"],
  ["HELLO", "i"],
  ["a.b", "s"],
  ["[^]x", ""],
  ["x[]|y", ""],
  [String.raw`[[\]]z`, ""],
  [String.raw`\u{1F600}`, "u"],
  [String.raw`\u0041`, ""],
  [String.raw`\e\A\Z`, ""],
  [String.raw`(?<=v)\d+(?!\.)`, ""],
  [String.raw`"skill"\s*:\s*"(?:[\w-]+:)?tidy"`, ""],
] as const;

const TEXTS = [
  "a/b",
  "2025-2025",
  "done",
  "done\n",
  "x\ndone\ny",
  "hello",
  "a\nb",
  "\nx",
  "x",
  "y",
  "[z ]z",
  "\u{1F600}",
  "A",
  "eAZ",
  "v12 v3.1",
  '{"skill": "pack:tidy"}',
];

describe("a JavaScript pattern", () => {
  it.each(PATTERNS)("/%s/%s finds in Python's spelling what it finds in its own", (source, flags) => {
    const js = new RegExp(source, flags);
    const python = occurs(pythonSpelling(source, flags));
    for (const text of TEXTS) expect([text, found(python, text)]).toEqual([text, js.test(text)]);
  });

  it("that must not occur, or a number of times, counts as JavaScript counts", () => {
    const spelling = pythonSpelling("ab|B", "");
    for (const text of ["", "ab", "xB\nab", "ababB", "nothing\n"]) {
      const count = [...text.matchAll(/ab|B/g)].length;
      expect(found(absent(spelling), text)).toBe(count === 0);
      for (const wanted of [0, 1, 2, 3])
        expect(found(exactly(wanted, spelling), text)).toBe(count === wanted);
    }
  });

  it("names the flags that JavaScript does not know", () => {
    expect(unknownFlags("gix")).toBe("x");
    expect(unknownFlags("dgimsuvy")).toBe("");
  });

  it("of any text finds exactly that text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        expect(found(`\\A${literally(text)}\\Z`, text)).toBe(true);
      }),
    );
  });
});
