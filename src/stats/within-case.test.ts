import { describe, expect, it } from "vitest";
import type { CaseRuns } from "./case-runs.ts";
import { drawnTails, normalTails } from "./label-draws.ts";
import { seededRandom } from "./random.ts";
import { smallestWithinCase, withinCaseTest } from "./within-case.ts";

const broken: CaseRuns = { treatment: [0, 0, 0], baseline: [1, 1, 1] };

describe("the permutation test within cases", () => {
  it("sees that a new version breaks five cases of three runs, which the cases alone cannot show", () => {
    const test = withinCaseTest(times(5, broken));
    expect(test?.lift).toBe(-1);
    expect(test?.pValue).toBe(2 / 20 ** 5);
    expect(test?.pValue).toBe(smallestWithinCase(times(5, { treatment: 3, baseline: 3 })));
    expect(test?.pWorse).toBe(1 / 20 ** 5);
    expect(test?.pBetter).toBe(1);
  });

  it("sees nothing where nothing differs, and never says less than it can", () => {
    const test = withinCaseTest(times(4, { treatment: [1, 1], baseline: [1, 1] }));
    expect(test).toMatchObject({ lift: 0, pValue: 1, pBetter: 1, pWorse: 1, smallest: { pValue: 1 } });
  });

  it("does not depend on the order of cases or runs, nor on a unit", () => {
    const cases: CaseRuns[] = [
      { treatment: [1 / 3, 1, 2 / 3], baseline: [0, 1 / 3] },
      { treatment: [0.25, 0.75], baseline: [0.5, 0, 0.25] },
    ];
    const mirrored = cases
      .toReversed()
      .map(({ treatment, baseline }) => ({ treatment: treatment.toReversed(), baseline }));
    expect(withinCaseTest(mirrored)?.pValue).toBe(withinCaseTest(cases)?.pValue);
    const scaled = cases.map(({ treatment, baseline }) => ({
      treatment: treatment.map((score) => 1000 * score),
      baseline: baseline.map((score) => 1000 * score),
    }));
    expect(withinCaseTest(scaled)?.pValue).toBe(withinCaseTest(cases)?.pValue);
  });

  it("swaps its sides when the arms are swapped", () => {
    const cases: CaseRuns[] = [{ treatment: [1, 0, 1, 1], baseline: [0, 0] }, broken];
    const swapped = cases.map(({ treatment, baseline }) => ({ treatment: baseline, baseline: treatment }));
    expect(withinCaseTest(swapped)?.pWorse).toBe(withinCaseTest(cases)?.pBetter);
    expect(withinCaseTest(swapped)?.pValue).toBe(withinCaseTest(cases)?.pValue);
  });

  it("leaves out a case of one arm only, and is null without any case", () => {
    expect(withinCaseTest([])).toBeNull();
    expect(withinCaseTest([{ treatment: [1], baseline: [] }])).toBeNull();
    expect(withinCaseTest([broken, { treatment: [1, 1, 1], baseline: [] }])?.lift).toBe(-1);
  });

  it("refuses a score that is no number", () => {
    expect(() => withinCaseTest([{ treatment: [Number.NaN], baseline: [1] }])).toThrow("not NaN");
  });

  it("has the same tails from the normal distribution, for many cases, as from draws", () => {
    const cases = Array.from({ length: 300 }, (_, at) => manyChecks(50 + at, 3));
    for (const total of [0, 5, -12]) {
      const drawn = drawnTails(cases, { total, slack: 0, seed: 1, draws: 4_000 });
      const normal = normalTails(cases, total);
      expect(Math.abs(normal.pValue - drawn.pValue)).toBeLessThan(0.03);
      expect(Math.abs(normal.pWorse - drawn.pWorse)).toBeLessThan(0.03);
      expect(Math.abs(normal.pBetter - drawn.pBetter)).toBeLessThan(0.03);
    }
  });

  it("draws labels where it cannot count them, within its error of the exact value and alike for a seed", () => {
    const random = seededRandom(5);
    const noisy = Array.from({ length: 6 }, () => ({
      treatment: Array.from({ length: 4 }, () => random() + 0.15),
      baseline: Array.from({ length: 4 }, () => random()),
    }));
    const rounded = noisy.map(({ treatment, baseline }) => ({
      treatment: treatment.map((score) => Math.round(100 * score) / 100),
      baseline: baseline.map((score) => Math.round(100 * score) / 100),
    }));
    const drawn = withinCaseTest(noisy, 3);
    const exact = withinCaseTest(rounded, 3);
    expect(exact?.method.kind).toBe("exact");
    if (drawn?.method.kind !== "drawn") throw new Error("expected draws");
    expect(Math.abs(drawn.pValue - (exact?.pValue ?? 0))).toBeLessThan(5 * drawn.method.error + 0.005);
    expect(withinCaseTest(noisy, 3)).toEqual(drawn);
  });

  it.each([
    ["1,000 checks in one case", [manyChecks(1_000, 5)]],
    ["10,000 cases", Array.from({ length: 10_000 }, (_, at) => manyChecks(1 + (at % 9), 3))],
    [
      "10,000 cases of which five vary",
      [...times(9_995, { treatment: [1, 1], baseline: [1, 1] }), ...times(5, broken)],
    ],
    ["500 runs of one case", [manyChecks(7, 500)]],
    ["checks of every number", Array.from({ length: 40 }, (_, at) => manyChecks(3 + at, 3))],
  ])("answers within two seconds: %s", (_, cases) => {
    const from = performance.now();
    const test = withinCaseTest(cases);
    expect(performance.now() - from).toBeLessThan(2_000);
    expect(test?.pValue).toBeGreaterThan(0);
    expect(test?.pValue).toBeLessThanOrEqual(1);
  });
});

function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}

function manyChecks(checks: number, runs: number): CaseRuns {
  const random = seededRandom(checks);
  const score = () => Math.round(random() * checks) / checks;
  return {
    treatment: Array.from({ length: runs }, score),
    baseline: Array.from({ length: runs }, score),
  };
}
