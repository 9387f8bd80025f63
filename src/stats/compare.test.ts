import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CasePair, pairCases } from "./case-pairs.ts";
import { compareArms } from "./compare.ts";

/** One run per arm and case. */
function pairs(...arms: readonly (readonly [number | null, number | null])[]): CasePair[] {
  return arms.map(([treatment, baseline]) => ({ treatment, baseline, runs: 1, noise: null }));
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
    const floored = compareArms(small, { minEffect: 0.05 });
    expect(floored.verdict).toBe("no difference seen");
    expect(floored.explanation).toContain("more than chance but less than the 0.05 asked for");
    expect(compareArms(repeated(10, [0.5, 0.53]), { minEffect: 0.05 }).verdict).toBe("no difference seen");
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

describe("what a person reads", () => {
  it.each([
    [
      repeated(6, [1, 0]),
      "Better: mean lift +1.00 (95 % interval +0.16 to +1.00, p = 0.031) over 6 cases: 6 up, 0 down, 0 equal.",
    ],
    [
      pairs([1, 0], [1, 0], [0.5, 0.5]),
      "Underpowered: mean lift +0.67 (95 % interval -0.71 to +1.00, p = 0.500) over 3 cases: 2 up, 0 down, 1 equal. With 3 cases no outcome can reach 5 %: the smallest possible p-value is 0.250, and it takes at least 6 cases. About 7 more cases would show a lift of 0.67 four times in five.",
    ],
    [[], "No case was scored in both arms, so there is nothing to compare."],
    [
      pairs([1, null], [null, null]),
      "No case was scored in both arms, so there is nothing to compare. 2 cases have scored runs in at most one arm.",
    ],
  ])("case %#", (input, text) => {
    expect(compareArms(input).explanation).toBe(text);
  });

  it("says when the cases themselves are the problem", () => {
    expect(compareArms(repeated(8, [1, 1])).explanation).toContain("do not tell the arms apart");
  });
});

describe("what more it would take", () => {
  it("asks for more cases than there are, whatever came out", () => {
    const rate = fc.integer({ min: 0, max: 6 }).map((passed) => passed / 6);
    fc.assert(
      fc.property(fc.array(fc.tuple(rate, rate), { minLength: 1, maxLength: 16 }), (arms) => {
        const comparison = compareArms(pairs(...arms));
        fc.pre(comparison.verdict === "underpowered");
        expect(comparison.casesNeeded).toBeGreaterThan(comparison.cases);
        expect(comparison.plannedEffect).toBeGreaterThanOrEqual(0.2);
      }),
      { numRuns: 60 },
    );
  });

  const names = Array.from({ length: 12 }, (_, at) => `case ${at}`);
  const scores = (of: (at: number) => number[]) => new Map(names.map((name, at) => [name, of(at)]));

  it("offers more runs where only the runs' noise hides the lift", () => {
    // Runs of one case differ as much as cases do. The planning variance is (1.229 + 1) / 13; twelve cases detect 0.89 of
    // its root, so two runs become seven before that is 0.2.
    const treatment = scores((at) => (at % 3 === 0 ? [1, 1] : [1, 0]));
    const baseline = scores((at) => (at % 4 === 1 ? [1, 1] : [1, 0]));
    const comparison = compareArms(pairCases(treatment, baseline));
    expect(comparison).toMatchObject({ verdict: "underpowered", runsNeeded: 7 });
    expect(comparison.explanation).toMatch(/more cases?, or 7 runs of each case, would show/);
  });

  it("offers none where the cases themselves differ", () => {
    const one = scores((at) => (at % 2 === 0 ? [1, 1] : [0, 0]));
    const other = scores((at) => (at % 2 === 0 ? [0, 0] : [1, 1]));
    const comparison = compareArms(pairCases(one, other));
    expect(comparison).toMatchObject({ verdict: "underpowered", runsNeeded: null });
    expect(comparison.casesNeeded).toBeGreaterThan(100);
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
