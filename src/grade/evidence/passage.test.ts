import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt, excerptText, searchWords } from "./passage.ts";
import { capFor, cutLengths, shareOut } from "./share.ts";

const LOG = Array.from({ length: 500 }, (_, index) =>
  index === 250 ? "WARNING: the invoice number 4711 is missing" : `line ${index} says nothing`,
).join("\n");

describe("excerpt", () => {
  it("is the whole text where it fits", () => {
    expect(excerpt("a\nb", 10, new Set())).toEqual({
      passages: [{ text: "a\nb", line: 1 }],
      whole: true,
      chars: 3,
    });
  });

  it("has the beginning, the end, and the lines that share words with the criteria", () => {
    const found = excerpt(LOG, 1000, searchWords(["The invoice number is given"]));
    expect(found.whole).toBe(false);
    expect(found.passages.map(({ line }) => line)).toContain(251);
    expect(found.passages[0]?.text).toMatch(/^line 0 says/);
    expect(found.passages.at(-1)?.text).toMatch(/line 499 says nothing$/);
    const shown = excerptText(found);
    expect(shown).toMatch(/^\(shown: \d+ of \d+ characters\)/);
    expect(shown).toContain("[... line 251:]\nWARNING: the invoice number 4711");
  });

  it("says what was left out of one long line too", () => {
    const found = excerpt("x".repeat(5000), 1000, new Set());
    expect(found).toMatchObject({ whole: false, chars: 5000 });
    expect(excerptText(found)).toContain("of 5000 characters");
  });

  it("never shows more than its room, nor what is not there, nor half a character", () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.string({ unit: "binary", maxLength: 700, size: "max" }), { maxLength: 8 })
          .map((lines) => lines.join("\n")),
        fc.integer({ min: 200, max: 1000 }),
        (text, most) => {
          const { passages, chars } = excerpt(text, most, searchWords([text]));
          expect(chars).toBe(text.length);
          expect(passages.reduce((sum, one) => sum + one.text.length, 0)).toBeLessThanOrEqual(
            Math.max(most, 0),
          );
          for (const passage of passages) {
            expect(text).toContain(passage.text);
            expect(passage.text).not.toMatch(/\p{Surrogate}/u);
            expect(text.split("\n")[passage.line - 1]).toContain(passage.text.split("\n")[0]);
          }
        },
      ),
    );
  });
});

it("searchWords leaves out what stands everywhere", () => {
  expect([...searchWords(["The output includes an invoice of 42 EUR and the file x"])]).toEqual([
    "invoice",
    "eur",
  ]);
});

describe("shareOut", () => {
  it.each([
    ["everything fits", [10, 20], [0.5, 0.5], 100, [10, 20]],
    ["one leaves over", [10, 500], [0.5, 0.5], 100, [10, 90]],
    ["by weight", [500, 500], [0.75, 0.25], 100, [75, 25]],
    ["nothing to give", [5, 5], [1, 1], 0, [0, 0]],
    ["nobody", [], [], 10, []],
  ] as const)("%s", (...[, needs, weights, budget, given]) => {
    expect(shareOut(needs, weights, budget)).toEqual(given);
  });

  it("never gives more than there is or than is needed", () => {
    const part = fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.nat(3000), (parts, budget) => {
        const needs = parts.map(([need]) => need);
        const given = shareOut(
          needs,
          parts.map(([, weight]) => weight),
          budget,
        );
        expect(given.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(budget);
        given.forEach((one, index) => expect(one).toBeLessThanOrEqual(needs[index] ?? 0));
      }),
    );
  });
});

describe("capFor", () => {
  it.each([
    [[1, 2, 3], 100, Infinity],
    [[10, 10, 100], 50, 30],
    [[100, 100], 50, 25],
    [[], 5, Infinity],
    [[5], 0, 0],
  ])("of %j in %d is %d", (lengths, budget, cap) => {
    expect(capFor(lengths, budget)).toBe(cap);
  });

  it("fits what it cuts", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 20 }), fc.nat(2000), (lengths, budget) => {
        const cap = capFor(lengths, budget);
        const total = lengths.reduce((sum, length) => sum + Math.min(length, cap), 0);
        expect(total).toBeLessThanOrEqual(budget);
      }),
    );
  });
});

describe("cutLengths", () => {
  it.each([
    ["all fit", [1, 2, 3], 100, [1, 2, 3]],
    ["few are cut rather than all", [100, 100, 100, 100, 100], 480, [57, 100, 100, 100, 100]],
    ["the longest first", [10, 1000, 50], 160, [10, 60, 50]],
  ])("%s", (_, lengths, budget, kept) => {
    expect(cutLengths(lengths, budget)).toEqual(kept);
  });

  it("fits, and never lengthens", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 20 }), fc.nat(2000), (lengths, budget) => {
        const kept = cutLengths(lengths, budget);
        expect(kept.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(budget);
        kept.forEach((length, index) => expect(length).toBeLessThanOrEqual(lengths[index] ?? 0));
      }),
    );
  });
});
