import fc from "fast-check";
import { describe, expect, it } from "vitest";
import python from "./fixtures/python.json" with { type: "json" };
import { randomInteger, seededRandom, shuffled } from "./random.ts";

describe("seededRandom", () => {
  it.each(python.sfc32)("draws what an independent sfc32 draws from $seed", ({ seed, draws }) => {
    const random = seededRandom(seed);
    expect(draws.map(() => random() * 2 ** 32)).toEqual(draws);
  });

  it("spreads evenly", () => {
    const random = seededRandom(3);
    const bins = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 100_000; draw++) {
      const bin = randomInteger(random, 10);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    // Chi-square with 9 degrees of freedom exceeds 27.9 once in a thousand.
    const chiSquare = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquare).toBeLessThan(27.9);
  });
});

describe("shuffled", () => {
  it("keeps every entry, leaves the list alone and repeats itself", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(), (list, seed) => {
        const before = [...list];
        const once = shuffled(list, seededRandom(seed));
        expect(list).toEqual(before);
        expect(once.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b));
        expect(shuffled(list, seededRandom(seed))).toEqual(once);
      }),
    );
  });

  it("gives every order its turn", () => {
    const random = seededRandom(8);
    const seen = new Map<string, number>();
    for (let draw = 0; draw < 6_000; draw++) {
      const order = shuffled(["a", "b", "c"], random).join("");
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    for (const count of seen.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});
