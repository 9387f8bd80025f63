import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aQuery } from "../../test/support/triggers.ts";
import { claimOf } from "./query.ts";
import { splitQueries } from "./split.ts";

const SHARES = { validation: 0.25, test: 0.25 };
const queries = (positives: number, negatives: number) => [
  ...Array.from({ length: positives }, (_, i) => aQuery(`p${i}`, true)),
  ...Array.from({ length: negatives }, (_, i) => aQuery(`n${i}`, false)),
];
const sizes = (positives: number, negatives: number) => {
  const { train, validation, test } = splitQueries(queries(positives, negatives), {
    seed: 1,
    shares: SHARES,
  });
  return [train.length, validation.length, test.length];
};

describe("splitQueries", () => {
  it.each([
    [10, 10, [12, 4, 4]],
    [4, 4, [4, 2, 2]],
    [3, 3, [2, 2, 2]],
    [2, 2, [2, 0, 2]],
    [1, 1, [2, 0, 0]],
    [8, 0, [4, 2, 2]],
    [0, 0, [0, 0, 0]],
  ])("%i that should and %i that should not fire", (positives, negatives, expected) => {
    expect(sizes(positives, negatives)).toEqual(expected);
  });

  const parts = (positives: number, negatives: number, seed: number) => {
    const { train, validation, test } = splitQueries(queries(positives, negatives), { seed, shares: SHARES });
    return [train, validation, test];
  };

  it("puts every query into exactly one part", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(), (positives, negatives, seed) => {
        const ids = parts(positives, negatives, seed).flatMap((part) => part.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toHaveLength(positives + negatives);
      }),
    );
  });

  it("puts some of both sides into every part where there are enough", () => {
    const enough = fc.integer({ min: 3, max: 20 });
    fc.assert(
      fc.property(enough, enough, fc.nat(), (positives, negatives, seed) => {
        for (const part of parts(positives, negatives, seed)) {
          expect(new Set(part.map((one) => claimOf(one).expected)).size).toBe(2);
        }
      }),
    );
  });

  it("depends on the seed and on nothing else", () => {
    const all = queries(10, 10);
    const split = (seed: number, cases = all) =>
      splitQueries(cases, { seed, shares: SHARES }).test.map(({ id }) => id);
    expect(split(1)).toEqual(split(1, all.toReversed()));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => split(seed).join())).size).toBeGreaterThan(1);
  });
});
