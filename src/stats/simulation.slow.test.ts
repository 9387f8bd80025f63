import { describe, expect, it } from "vitest";
import { trueLift, WORLDS } from "./fixtures/benchmarks.ts";
import { coverage, decidedShare, normalDifferences, shareOf } from "./fixtures/simulations.ts";
import { minimumDetectableEffect } from "./power.ts";
import { seededRandom } from "./random.ts";
import { signFlipTest } from "./sign-flip.ts";

const NO_EFFECT = WORLDS.filter((world) => world.name.startsWith("no effect, "));

describe("false alarms over 5,000 benchmarks", () => {
  it.each([3, 5, 6, 7, 8, 10, 13, 20])("with %d cases stay within 5 % and chance", (cases) => {
    for (const world of NO_EFFECT) {
      expect(decidedShare(world, cases, { trials: 5_000, seed: cases })).toBeLessThanOrEqual(0.056);
    }
  });
});

describe("95 % intervals over 800 benchmarks", () => {
  it.each(WORLDS.map((world) => [world.name, world] as const))("cover at least 93 %: %s", (_, world) => {
    const truth = trueLift(world, seededRandom(1));
    for (const cases of [3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 25, 30]) {
      const covered = coverage(world, cases, { truth, trials: 800, seed: 100 + cases });
      expect.soft(covered, `${cases} cases`).toBeGreaterThanOrEqual(0.93);
    }
  });
});

describe("power over 10,000 benchmarks", () => {
  it.each([6, 7, 8, 9, 10, 12, 15, 20])("at the smallest effect that %d cases detect is 80 %", (cases) => {
    for (const spread of [0.2, 1]) {
      const effect = minimumDetectableEffect(cases, { spread }) ?? 0;
      const seen = shareOf(10_000, cases, (random) => {
        return (signFlipTest(normalDifferences(cases, random, { effect, spread })) ?? 1) <= 0.05;
      });
      expect(Math.abs(seen - 0.8)).toBeLessThan(0.03);
    }
  });
});
