import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf } from "./distributions.ts";
import { normalDifferences } from "./fixtures/simulations.ts";
import { liftInterval } from "./lift-interval.ts";
import { seededRandom } from "./random.ts";
import { signFlipInterval } from "./sign-flip-interval.ts";
import { fewestCases, signFlipTest, smallestPValue } from "./sign-flip.ts";

const steps = fc.integer({ min: -12, max: 12 }).map((step) => step / 12);

describe("signFlipTest", () => {
  it.each([
    ["no case", [], null],
    ["one case", [0.5], 1],
    ["ties only", [0, 0, 0], 1],
    ["five wins", [1, 1, 1, 1, 1], 2 / 32],
    ["six wins of any size", [0.1, 0.2, 0.3, 1, 1, 0.5], 2 / 64],
    ["six wins among ties", [0, 0, 1, 1, 1, 1, 1, 1, 0], 2 / 64],
    ["a total of zero", [0.1, 0.2, -0.3], 1],
  ])("of %s", (_, differences, p) => {
    expect(signFlipTest(differences)).toBe(p);
  });

  it("does not care about order, sign, scale or ties, and never goes below what so few cases can reach", () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 14 }), (differences) => {
        const p = signFlipTest(differences) ?? -1;
        expect(signFlipTest(differences.toReversed())).toBe(p);
        expect(signFlipTest(differences.map((value) => -value))).toBe(p);
        expect(signFlipTest(differences.map((value) => value * 7))).toBe(p);
        expect(signFlipTest([...differences, 0, 0])).toBe(p);
        expect(p).toBeGreaterThanOrEqual(smallestPValue(differences.length) ?? 1);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("agrees by draws and by the normal curve where there are too many cases to count", () => {
    const differences = normalDifferences(80, seededRandom(4), { effect: 0.15 });
    const total = differences.reduce((sum, value) => sum + value, 0);
    const scale = Math.sqrt(differences.reduce((sum, value) => sum + value ** 2, 0));
    const normal = 2 * normalCdf(-Math.abs(total) / scale);
    const drawn = signFlipTest(differences, 3) ?? 0;
    expect(Math.abs(drawn - normal)).toBeLessThan(0.005);
    expect(signFlipTest(differences, 3)).toBe(drawn);
    expect(signFlipTest(Array.from({ length: 80 }, () => 1))).toBe(1 / 50_000);
  });
});

describe("what few cases can show", () => {
  it.each([
    [0.05, 6],
    [0.0625, 5],
    [0.01, 8],
    [0.1, 5],
    [0.5, 2],
    [1, 1],
  ])("at %d it takes %d cases", (alpha, cases) => {
    expect(fewestCases(alpha)).toBe(cases);
    expect(smallestPValue(cases)).toBeLessThanOrEqual(alpha);
  });

  it("is nothing without cases", () => {
    expect(smallestPValue(0)).toBeNull();
  });
});

describe("signFlipInterval", () => {
  it("holds exactly the shifts that the test keeps", () => {
    const distinct = fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 6, maxLength: 9 });
    fc.assert(
      fc.property(distinct, fc.integer({ min: -900, max: 900 }), (differences, shift) => {
        const interval = signFlipInterval(differences);
        // Off the grid of subset means, where the two ways of counting break ties alike.
        const at = shift + 1 / 7919;
        const p = signFlipTest(differences.map((difference) => difference - at)) ?? 1;
        expect(interval !== null && interval.low <= at && at <= interval.high).toBe(p > 0.05);
      }),
    );
  });

  it("is nothing below six cases, where no shift can be rejected", () => {
    expect(signFlipInterval([1, 1, 1, 1, 1])).toBeNull();
    expect(signFlipInterval([1, 1, 1, 1, 1, 1])).toEqual({ low: 1, high: 1 });
  });

  it("is nearly the same by draws as by counting", () => {
    const differences = normalDifferences(30, seededRandom(6), { effect: 0.4 });
    const one = signFlipInterval(differences, { seed: 1 });
    const other = signFlipInterval(differences, { seed: 2 });
    expect(Math.abs((one?.low ?? 9) - (other?.low ?? -9))).toBeLessThan(0.03);
    expect(Math.abs((one?.high ?? 9) - (other?.high ?? -9))).toBeLessThan(0.03);
  });
});

describe("liftInterval", () => {
  it.each([
    ["no case", [], {}, null],
    ["one case", [1], {}, { low: -1, high: 1 }],
    ["one measure without bounds", [12], { extreme: null }, null],
    ["equal measures without bounds", [3, 3, 3, 3, 3, 3], { extreme: null }, { low: 3, high: 3 }],
  ])("of %s", (_, differences, options, interval) => {
    expect(liftInterval(differences, options)).toEqual(interval);
  });

  it("does not claim certainty because a few cases agree", () => {
    const interval = liftInterval(Array.from({ length: 10 }, () => 0));
    expect(interval?.low).toBeCloseTo(-0.271, 3);
    expect(interval?.high).toBeCloseTo(0.271, 3);
  });

  it("grows with confidence, however few the cases, and mirrors with the arms", () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 12 }), (differences) => {
        const usual = liftInterval(differences) ?? { low: 0, high: 0 };
        const strict = liftInterval(differences, { alpha: 0.005 }) ?? { low: 0, high: 0 };
        expect(strict.low).toBeLessThanOrEqual(usual.low + 1e-12);
        expect(strict.high).toBeGreaterThanOrEqual(usual.high - 1e-12);
        const mirrored = liftInterval(differences.map((value) => -value)) ?? { low: 9, high: 9 };
        expect(mirrored.low).toBeCloseTo(-usual.high, 9);
        expect(mirrored.high).toBeCloseTo(-usual.low, 9);
      }),
      { numRuns: 60 },
    );
  });
});
