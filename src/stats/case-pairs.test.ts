import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differencesOf, pairCases } from "./case-pairs.ts";
import { compareArms } from "./compare.ts";
import { compareMeasure } from "./paired-measure.ts";
import { compareRatio } from "./ratio.ts";

describe("pairCases", () => {
  it("takes one mean per case and arm, and keeps cases that only one arm has", () => {
    const pairs = pairCases(
      new Map([
        ["a", [1, 0]],
        ["b", [1]],
      ]),
      new Map([
        ["a", [0, 0, 0]],
        ["c", [0.5]],
      ]),
    );
    expect(pairs).toEqual([
      { treatment: 0.5, baseline: 0 },
      { treatment: 1, baseline: null },
      { treatment: null, baseline: 0.5 },
    ]);
    expect(differencesOf(pairs)).toEqual([0.5]);
  });

  it("counts equal scores as a tie in whatever order they were added up", () => {
    const thirds = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(thirds, (list) => {
        const runs = list.map((passed) => passed / 3);
        const pairs = pairCases(new Map([["a", runs]]), new Map([["a", runs.toReversed()]]));
        expect(differencesOf(pairs)).toEqual([0]);
      }),
    );
  });

  it("gains no certainty from repeating the same runs of the same cases", () => {
    const arm = (score: number, runs: number) =>
      new Map(["a", "b", "c", "d"].map((name) => [name, Array.from({ length: runs }, () => score)]));
    expect(compareArms(pairCases(arm(1, 3), arm(0, 3))).pValue).toBe(0.125);
    expect(compareArms(pairCases(arm(1, 300), arm(0, 300))).pValue).toBe(0.125);
  });
});

describe("compareMeasure", () => {
  const seconds = (...values: readonly number[]) => new Map(values.map((value, at) => [`${at}`, [value]]));

  it("gives the mean difference and its interval, and compareRatio the ratio with its own", () => {
    const treatment = seconds(12, 15, 11, 19, 14, 13, 20, 16);
    const baseline = seconds(10, 11, 10, 12, 11, 12, 14, 13);
    const comparison = compareMeasure(pairCases(treatment, baseline));
    expect(comparison).toMatchObject({ cases: 8, difference: 3.375, pValue: 2 / 256 });
    const ratio = compareRatio(pairCases(treatment, baseline));
    expect(ratio?.ratio).toBeGreaterThan(1.2);
    expect(ratio?.ratio).toBeLessThan(1.4);
    expect(ratio?.interval?.low).toBeGreaterThan(1);
    expect(ratio?.pValue).toBe(2 / 256);
    expect(comparison?.interval?.low).toBeGreaterThan(1);
    expect(comparison?.interval?.high).toBeLessThan(6);
  });

  it("has no interval for one case and no ratio to nothing", () => {
    expect(compareMeasure(pairCases(seconds(3), seconds(0)))).toEqual({
      cases: 1,
      difference: 3,
      interval: null,
      pValue: 1,
    });
    expect(compareRatio(pairCases(seconds(3), seconds(0)))).toBeNull();
    expect(compareRatio(pairCases(seconds(3), seconds(2)))).toMatchObject({ cases: 1, interval: null });
  });

  it("has nothing to say when the arms share no case", () => {
    expect(compareMeasure(pairCases(new Map([["a", [1]]]), new Map([["b", [1]]])))).toBeNull();
    expect(compareMeasure([])).toBeNull();
  });
});
