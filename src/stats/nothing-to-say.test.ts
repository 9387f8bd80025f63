import { describe, expect, it } from "vitest";
import { confusionOf } from "./confusion.ts";
import { describeValues, mean, stddev, variance } from "./descriptive.ts";
import { betaQuantile, normalQuantile, tQuantile } from "./distributions.ts";
import { mcnemarExact, signTest } from "./exact-tests.ts";
import { clopperPearson, meanInterval, wilson } from "./intervals.ts";
import { benjaminiHochberg } from "./multiple-testing.ts";
import { passAtK, passPowK } from "./pass-at-k.ts";
import { casesNeeded, minimumDetectableEffect, powerOf } from "./power.ts";

describe("null where there is nothing to say", () => {
  it.each([
    ["a mean of nothing", mean([])],
    ["a description of nothing", describeValues([])],
    ["an interval of nothing", meanInterval([])],
    ["the spread of one value", meanInterval([3])],
    ["a share of nothing", wilson(0, 0)],
    ["an exact share of nothing", clopperPearson(0, 0)],
    ["pass@k beyond the runs made", passAtK(3, 2, 4)],
    ["pass^k beyond the runs made", passPowK(3, 2, 4)],
    ["pass@k without runs", passAtK(0, 0, 1)],
    ["pass@0", passAtK(3, 2, 0)],
    ["a sign test of ties", signTest([0, 0])],
    ["McNemar's test of arms that never disagree", mcnemarExact(0, 0)],
    ["an effect that five cases detect", minimumDetectableEffect(5, { spread: 0.3 })],
    ["cases for no effect", casesNeeded(0, { spread: 0.3 })],
    ["cases beyond counting", casesNeeded(0.0001, { spread: 1 })],
  ])("%s", (_, value) => {
    expect(value).toBeNull();
  });

  it("keeps untested skills out of the correction", () => {
    expect(benjaminiHochberg([null, 0.02, null, 0.03])).toEqual([null, 0.03, null, 0.03]);
    expect(benjaminiHochberg([])).toEqual([]);
  });
});

describe("plain answers at the edges", () => {
  it("describes one value without spread", () => {
    expect(describeValues([0.5])).toEqual({
      count: 1,
      mean: 0.5,
      stddev: 0,
      min: 0.5,
      median: 0.5,
      max: 0.5,
    });
    expect([variance([4]), stddev([]), stddev([4])]).toEqual([0, 0, 0]);
  });

  it("has no power with too few cases and all of it without noise", () => {
    expect(powerOf(5, 1, { spread: 0.1 })).toBe(0);
    expect(powerOf(8, 0.1, { spread: 0 })).toBe(1);
    expect(minimumDetectableEffect(8, { spread: 0 })).toBe(0);
    expect(casesNeeded(0.5, { spread: 0 })).toBe(6);
  });

  it("counts what two raters said", () => {
    const pairs = [
      ["yes", "yes"],
      ["yes", "no"],
      ["no", "no"],
      ["yes", "yes"],
    ] as const;
    expect(confusionOf(pairs)).toEqual({
      labels: ["yes", "no"],
      counts: [
        [2, 1],
        [0, 1],
      ],
    });
    expect(confusionOf([])).toEqual({ labels: [], counts: [] });
  });

  it("refuses counts and probabilities that cannot be", () => {
    expect(() => passAtK(3, 4, 1)).toThrow(RangeError);
    expect(() => passPowK(3, -1, 1)).toThrow(RangeError);
    expect(() => normalQuantile(1)).toThrow(RangeError);
    expect(() => tQuantile(0, 3)).toThrow(RangeError);
    expect([betaQuantile(0, 2, 3), betaQuantile(1, 2, 3)]).toEqual([0, 1]);
  });
});
