import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CasePair } from "./case-pairs.ts";
import { compareArms } from "./compare.ts";

/** One run per arm and case. */
function pairs(...arms: readonly (readonly [number | null, number | null])[]): CasePair[] {
  return arms.map(([treatment, baseline]) => ({ treatment, baseline }));
}

function repeated(count: number, ...arms: readonly (readonly [number | null, number | null])[]): CasePair[] {
  return Array.from({ length: count }, () => pairs(...arms)).flat();
}

describe("the verdict of a comparison", () => {
  it.each([
    ["nothing at all", [], "invalid"],
    ["one arm only", repeated(8, [1, null]), "invalid"],
    ["all runs left out", repeated(3, [null, null]), "invalid"],
    ["one case", pairs([1, 0]), "underpowered"],
    ["five clean wins", repeated(5, [1, 0]), "underpowered"],
    ["six clean wins", repeated(6, [1, 0]), "better"],
    ["six clean losses", repeated(6, [0.25, 0.5]), "worse"],
    ["wins and losses alike", repeated(4, [1, 0], [0, 1]), "underpowered"],
    ["forty cases that never differ", repeated(40, [1, 1]), "no difference seen"],
    ["eight cases that never differ", repeated(8, [1, 1]), "underpowered"],
    ["forty cases of small noise", repeated(20, [0.5, 0.55], [0.55, 0.5]), "no difference seen"],
    ["six wins beside left-out cases", [...repeated(6, [1, 0]), ...pairs([null, 1], [1, null])], "better"],
  ] as const)("of %s", (_, input, verdict) => {
    expect(compareArms(input).verdict).toBe(verdict);
  });

  it("needs the lift to matter as well as to be real", () => {
    const small = repeated(10, [0.53, 0.5]);
    expect(compareArms(small).verdict).toBe("better");
    expect(compareArms(small, { minEffect: 0.05 }).verdict).toBe("underpowered");
    const more = compareArms(repeated(100, [0.53, 0.5]), { minEffect: 0.1 });
    expect(more.verdict).toBe("no difference seen");
    expect(more.interval?.high).toBeLessThan(0.1);
  });

  it("takes a stricter level", () => {
    expect(compareArms(repeated(6, [1, 0]), { alpha: 0.01 }).verdict).toBe("underpowered");
    expect(compareArms(repeated(8, [1, 0]), { alpha: 0.01 }).verdict).toBe("better");
  });

  it("refuses differences that no rates have", () => {
    expect(() => compareArms(pairs([Number.NaN, 0]))).toThrow(RangeError);
    expect(() => compareArms(pairs([3, 0]))).toThrow(RangeError);
  });
});

describe("the lift", () => {
  it("is nothing, without a crumb of rounding, where gains and losses cancel out", () => {
    expect(compareArms(pairs([0.1, 0.3], [0.3, 0.2], [0.3, 0.2])).lift).toBe(0);
  });
});

describe("what more it would take", () => {
  it("asks for more cases than there are, whatever came out", () => {
    const rate = fc.integer({ min: 0, max: 6 }).map((passed) => passed / 6);
    fc.assert(
      fc.property(fc.array(fc.tuple(rate, rate), { minLength: 1, maxLength: 16 }), (arms) => {
        const comparison = compareArms(pairs(...arms));
        fc.pre(comparison.verdict === "underpowered");
        expect(comparison.casesNeeded ?? Infinity).toBeGreaterThan(comparison.cases);
        expect(comparison.plannedEffect).toBeGreaterThanOrEqual(0.2);
      }),
      { numRuns: 60 },
    );
  });

  it("asks for many where the cases themselves differ", () => {
    expect(compareArms(repeated(6, [1, 0], [0, 1])).casesNeeded).toBeGreaterThan(100);
  });
});

describe("every comparison", () => {
  const score = fc.option(fc.integer({ min: 0, max: 4 }).map((passed) => passed / 4));
  const anyPairs = fc.array(fc.tuple(score, score), { maxLength: 18 });

  it("holds together: no NaN, zero inside the interval exactly when it is not rejected, lift inside", () => {
    fc.assert(
      fc.property(anyPairs, (arms) => {
        const comparison = compareArms(pairs(...arms));
        expect(JSON.stringify(comparison)).not.toMatch(/NaN|undefined/);
        const numbers = Object.values(comparison).filter((value) => typeof value === "number");
        expect(numbers.every(Number.isFinite)).toBe(true);
        const { lift, interval, pValue, cases, gains, losses, ties } = comparison;
        expect(gains + losses + ties).toBe(cases);
        expect(comparison.verdict === "invalid").toBe(lift === null || interval === null || pValue === null);
        fc.pre(lift !== null && interval !== null && pValue !== null);
        expect(interval.low).toBeLessThanOrEqual(lift);
        expect(interval.high).toBeGreaterThanOrEqual(lift);
        expect(interval.low).toBeGreaterThanOrEqual(-1);
        expect(interval.high).toBeLessThanOrEqual(1);
        const holdsZero = interval.low <= 0 && interval.high >= 0;
        const besideZero = lift > 0 ? interval.low >= 0 : interval.high <= 0;
        expect(pValue <= 0.05 ? besideZero : holdsZero).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("turns around when the arms change places", () => {
    const mirrored = { better: "worse", worse: "better" } as Record<string, string>;
    fc.assert(
      fc.property(anyPairs, (arms) => {
        const there = compareArms(pairs(...arms));
        const back = compareArms(pairs(...arms.map(([a, b]) => [b, a] as const)));
        expect(back.verdict).toBe(mirrored[there.verdict] ?? there.verdict);
        expect(back.pValue).toBe(there.pValue);
      }),
      { numRuns: 60 },
    );
  });
});
