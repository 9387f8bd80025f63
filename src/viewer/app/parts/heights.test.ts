import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Heights } from "./heights.ts";

describe("the heights of rows", () => {
  it("are those that were measured, and a guess for the rest", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.tuple(fc.nat({ max: 130 }), fc.integer({ min: 1, max: 500 })), { maxLength: 60 }),
        (count, measured) => {
          const heights = new Heights(count, 29);
          const plain = Array.from({ length: count }, () => 29);
          for (const [row, height] of measured) {
            heights.measure(row, height);
            if (row < count) plain[row] = height;
          }
          const tops = plain.map((_, row) => plain.slice(0, row).reduce((sum, height) => sum + height, 0));
          const bottoms = plain.map((height, row) => (tops[row] ?? 0) + height - 1);
          const rows = [...plain.keys()];
          expect(rows.map((row) => heights.offset(row))).toEqual(tops);
          expect(tops.map((top) => heights.rowAt(top))).toEqual(rows);
          expect(bottoms.map((bottom) => heights.rowAt(bottom))).toEqual(rows);
          expect(heights.offset(count)).toBe((bottoms.at(-1) ?? 0) + 1);
        },
      ),
    );
  });

  it("say whether a measure is news", () => {
    const heights = new Heights(3, 20);
    expect(heights.measure(1, 20)).toBe(false);
    expect(heights.measure(1, 40)).toBe(true);
    expect(heights.measure(1, 40)).toBe(false);
    expect(heights.measure(9, 40)).toBe(false);
  });
});
