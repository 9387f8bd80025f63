import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip, padTo, textWidth, wrap } from "./text-width.ts";

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["✓ ✗ …", 5],
    ["日本語", 6],
    ["e\u0301", 1],
    ["👩‍👩‍👧", 2],
    ["한글", 4],
  ])("of %j is %i", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it("is never more than asked for once it is clipped, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, most) => {
          expect(textWidth(clip(text, most))).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  it("shows what was cut off", () => {
    expect(clip("extracts the table", 12)).toBe("extracts th…");
    expect(clip("日本語", 4)).toBe("日…");
    expect(clip("short", 5)).toBe("short");
  });

  it("is filled up on either side", () => {
    expect(padTo("日", 4)).toBe("日  ");
    expect(padTo("7", 3, "right")).toBe("  7");
  });
});

describe("wrapping", () => {
  it("breaks between words and indents what follows", () => {
    expect(wrap("the judge quoted a file that was not written", 20, 2)).toEqual([
      "the judge quoted a",
      "  file that was not",
      "  written",
    ]);
  });

  it("keeps a word whole that is longer than a line", () => {
    expect(wrap("results: .assay/a-long-skill-name/iteration-12 done", 20, 2)).toEqual([
      "results:",
      "  .assay/a-long-skill-name/iteration-12",
      "  done",
    ]);
  });

  it("keeps the indentation of the first line", () => {
    expect(wrap("    x one two", 9, 6)).toEqual(["    x one", "      two"]);
  });

  it("keeps words under each other that were set so, and counts no colors", () => {
    expect(wrap("agent    FAILED none was found", 80)).toEqual(["agent    FAILED none was found"]);
    expect(wrap("agent    \u001B[31mFAILED\u001B[39m none was found", 20, 4)).toEqual([
      "agent    \u001B[31mFAILED\u001B[39m none",
      "    was found",
    ]);
  });

  it("loses no word", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }),
        fc.integer({ min: 4, max: 40 }),
        (words, most) => {
          const lines = wrap(words.join(" "), most, 2);
          expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(words);
        },
      ),
    );
  });
});
