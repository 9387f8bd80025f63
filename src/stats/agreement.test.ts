import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cohenKappa, krippendorffAlpha, pairAgreement } from "./agreement.ts";

function table(both: number, first: number, second: number, neither: number): [string, string][] {
  const repeat = (count: number, pair: [string, string]): [string, string][] =>
    Array.from({ length: count }, () => pair);
  return [
    ...repeat(both, ["yes", "yes"]),
    ...repeat(first, ["yes", "no"]),
    ...repeat(second, ["no", "yes"]),
    ...repeat(neither, ["no", "no"]),
  ];
}

describe("cohenKappa", () => {
  it.each([
    ["the textbook's 50 proposals", table(20, 5, 10, 15), 0.4],
    ["60 % agreement with skewed raters", table(45, 15, 25, 15), 0.1304347826],
    ["the same 60 % with raters skewed apart", table(25, 35, 5, 35), 0.2592592593],
    ["full agreement", table(3, 0, 0, 4), 1],
    ["full disagreement of even raters", table(0, 5, 5, 0), -1],
    ["chance", table(5, 5, 5, 5), 0],
  ])("of %s", (_, pairs, kappa) => {
    expect(cohenKappa(pairs)).toBeCloseTo(kappa, 9);
  });

  it("is unknown when nobody ever said anything else, or nobody said anything", () => {
    expect(cohenKappa(table(7, 0, 0, 0))).toBeNull();
    expect(cohenKappa([])).toBeNull();
  });
});

describe("krippendorffAlpha", () => {
  // Krippendorff's own example: four observers, twelve units, some values missing.
  const observers = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
  ].map((row) => row.split(" ").map((value) => (value === "." ? null : value)));
  const units = Array.from({ length: 12 }, (_, unit) => observers.map((row) => row[unit] ?? null));

  it("of the published example", () => {
    expect(krippendorffAlpha(units)).toBeCloseTo(0.743, 3);
  });

  it("of two observers on ten units, by hand", () => {
    // 0 and 1 for ten units; 4 disagree. n = 20, 14 zeros, 6 ones: 1 - 19 * 4 / (14 * 6).
    const first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
    const second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0];
    const pairs = first.map((value, unit) => [String(value), String(second[unit])]);
    expect(krippendorffAlpha(pairs)).toBeCloseTo(1 - (19 * 4) / (14 * 6), 9);
  });

  it.each([
    ["no unit", []],
    ["units with one value each", [["a", null], ["b"]]],
    [
      "one value everywhere",
      [
        ["a", "a"],
        ["a", "a"],
      ],
    ],
  ])("is unknown with %s", (_, units) => {
    expect(krippendorffAlpha(units)).toBeNull();
  });

  it("is 1 exactly when all agree and something differs, and never above", () => {
    const unit = fc.array(fc.constantFrom("a", "b", null), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const alpha = krippendorffAlpha(units);
        const agree = pairAgreement(units);
        if (alpha === null) return;
        expect(alpha).toBeLessThanOrEqual(1);
        expect(alpha === 1).toBe(agree === 1);
      }),
    );
  });
});

describe("pairAgreement", () => {
  it.each([
    ["two of three", [["a", "a", "b"]], 1 / 3],
    [
      "all",
      [
        ["a", "a"],
        ["b", "b", null],
      ],
      1,
    ],
    [
      "half the units",
      [
        ["a", "b"],
        ["b", "b"],
      ],
      0.5,
    ],
  ])("of %s", (_, units, share) => {
    expect(pairAgreement(units)).toBeCloseTo(share, 9);
  });

  it("is unknown where nobody can agree", () => {
    expect(pairAgreement([["a", null]])).toBeNull();
  });
});
