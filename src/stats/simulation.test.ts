import { describe, expect, it } from "vitest";
import type { CaseRuns } from "./case-runs.ts";
import { compareArms } from "./compare.ts";
import { mcnemarExact } from "./exact-tests.ts";
import { drawBenchmark, drawScores, trueLift, type World, WORLDS } from "./fixtures/benchmarks.ts";
import { coverage, decidedShare, normalDifferences, shareOf } from "./fixtures/simulations.ts";
import { lookRepeatedly, USUAL_LOOKS } from "./looks.ts";
import { casesNeeded, minimumDetectableEffect, powerOf } from "./power.ts";
import { seededRandom } from "./random.ts";
import { signFlipTest } from "./sign-flip.ts";
import { withinCaseTest } from "./within-case.ts";

// Small and seeded; simulation.slow.test.ts has the same questions with many more draws.

const nothing: World = { name: "no effect", runs: 3, checks: 4, drawCase: (random) => alike(random()) };

function alike(rate: number) {
  return { treatment: rate, baseline: rate };
}

describe("false alarms", () => {
  it("stay within 5 % over 1,000 benchmarks of a skill that does nothing", () => {
    expect(decidedShare(nothing, 10, { trials: 1_000, seed: 11 })).toBeLessThanOrEqual(0.05);
  });

  it("are not made by repeating runs, as pooling them would", () => {
    // Cases differ in whether the skill helps, by luck of the case and zero on average: ten runs show that again and again.
    const clustered: World = {
      name: "clustered",
      runs: 10,
      checks: 1,
      drawCase: (random) =>
        random() < 0.5 ? { treatment: 0.8, baseline: 0.4 } : { treatment: 0.4, baseline: 0.8 },
    };
    const pooled = shareOf(200, 12, (random) => {
      let gains = 0;
      let losses = 0;
      for (let at = 0; at < 10; at++) {
        const truth = clustered.drawCase(random);
        const treatment = drawScores(clustered, truth.treatment, random);
        for (const [run, score] of drawScores(clustered, truth.baseline, random).entries()) {
          if ((treatment[run] ?? 0) > score) gains++;
          if ((treatment[run] ?? 0) < score) losses++;
        }
      }
      return (mcnemarExact(gains, losses) ?? 1) <= 0.05;
    });
    expect(pooled).toBeGreaterThan(0.2);
    expect(decidedShare(clustered, 10, { trials: 200, seed: 12 })).toBeLessThanOrEqual(0.08);
  });

  it("stay within 5 % over all looks of an adaptive benchmark, which plain looking exceeds", () => {
    let plain = 0;
    const adaptive = shareOf(400, 13, (random) => {
      const history = growingHistory(3, random);
      if (history.some((cases) => (withinCaseTest(cases)?.pValue ?? 1) <= 0.05)) plain++;
      const taken = USUAL_LOOKS.map((_, at) =>
        lookRepeatedly(history.slice(0, at + 1), { sizes: USUAL_LOOKS }),
      );
      const found = new Set(taken.map((looks) => looks?.comparison.verdict));
      return found.has("better") || found.has("worse");
    });
    expect(adaptive).toBeLessThanOrEqual(0.05);
    expect(plain / 400).toBeGreaterThan(0.07);
  });
});

/** The same cases seen again after further runs of each, with no effect. */
function growingHistory(cases: number, random: () => number): CaseRuns[][] {
  const world = { ...nothing, runs: 8 };
  const all = Array.from({ length: cases }, () => ({
    treatment: drawScores(world, 0.5, random),
    baseline: drawScores(world, 0.5, random),
  }));
  return USUAL_LOOKS.map((runs) =>
    all.map(({ treatment, baseline }) => ({
      treatment: treatment.slice(0, runs),
      baseline: baseline.slice(0, runs),
    })),
  );
}

describe("95 % intervals", () => {
  const worlds = WORLDS.map((world) => ({ world, truth: trueLift(world, seededRandom(14)) }));

  it.each(worlds)("cover the truth: $world.name", ({ world, truth }) => {
    for (const cases of [3, 6, 10]) {
      expect(coverage(world, cases, { truth, trials: 120, seed: 15 + cases })).toBeGreaterThanOrEqual(0.9);
    }
  });

  it("cover it at 30 cases, over all worlds together", () => {
    const shares = worlds.map(({ world, truth }) => coverage(world, 30, { truth, trials: 20, seed: 16 }));
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(0.95);
  });
});

describe("power", () => {
  it.each([6, 7, 10, 16])("at the smallest effect that %d cases detect is 80 %", (cases) => {
    const effect = minimumDetectableEffect(cases, { spread: 1 }) ?? 0;
    const seen = shareOf(
      800,
      16,
      (random) => (signFlipTest(normalDifferences(cases, random, { effect })) ?? 1) <= 0.05,
    );
    expect(Math.abs(seen - 0.8)).toBeLessThan(0.05);
  });

  it("of the cases printed as needed is what was printed", () => {
    const steady: World = {
      name: "steady",
      runs: 3,
      checks: 5,
      drawCase: () => ({ treatment: 0.65, baseline: 0.5 }),
    };
    // Each arm's mean of 15 checks: p (1 - p) / 15.
    const spread = Math.sqrt((0.65 * 0.35 + 0.25) / 15);
    const cases = casesNeeded(0.15, { spread }) ?? 0;
    const printed = powerOf(cases, 0.15, { spread });
    expect(printed).toBeGreaterThanOrEqual(0.8);
    expect(Math.abs(decidedShare(steady, cases, { trials: 300, seed: 17 }) - printed)).toBeLessThan(0.06);
  });

  it("is reached by the plan that an underpowered benchmark prints, more often than not", () => {
    const world: World = {
      name: "noisy",
      runs: 1,
      checks: 2,
      drawCase: () => ({ treatment: 0.75, baseline: 0.4 }),
    };
    const random = seededRandom(18);
    const plans = Array.from({ length: 60 }, () => compareArms(drawBenchmark(world, 7, random)))
      .flatMap(({ casesNeeded: needed }) => (needed === null ? [] : [needed]))
      .toSorted((a, b) => a - b);
    const typical = plans[Math.floor(plans.length / 2)] ?? 0;
    expect(decidedShare(world, typical, { trials: 200, seed: 19 })).toBeGreaterThan(0.7);
  });
});
