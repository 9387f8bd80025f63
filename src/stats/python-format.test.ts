import fc from "fast-check";
import { describe, expect, it } from "vitest";
import python from "./fixtures/python.json" with { type: "json" };
import { fixedLikePython, roundLikePython, signedLikePython } from "./python-format.ts";

describe("numbers written as Python writes them", () => {
  it.each(python.formats)("$two", ({ value: magnitude, negativeZero, two, one, none, rounded }) => {
    const value = negativeZero ? -0 : magnitude;
    expect(signedLikePython(value, 2)).toBe(two);
    expect(signedLikePython(value, 1)).toBe(one);
    expect(signedLikePython(value, 0)).toBe(none);
    expect(roundLikePython(value, 4)).toBe(rounded + 0);
  });

  it("rounds exact halves to even and never the other way than half a step", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), (half) => {
        const value = half + 0.5;
        const text = fixedLikePython(value, 0);
        expect(Math.abs(Number(text)) % 2).toBe(0);
        expect(Math.abs(Number(text) - value)).toBe(0.5);
      }),
    );
  });

  it("refuses what is no number", () => {
    expect(() => signedLikePython(Number.NaN, 2)).toThrow(RangeError);
    expect(() => roundLikePython(Infinity, 4)).toThrow(RangeError);
  });
});
