import fc from "fast-check";
import { expect, it } from "vitest";
import { groupBy } from "./group-by.ts";

it("keeps the order of keys and of entries", () => {
  expect([...groupBy(["b1", "a1", "b2"], (entry) => entry[0])]).toEqual([
    ["b", ["b1", "b2"]],
    ["a", ["a1"]],
  ]);
});

it("loses and repeats nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const groups = groupBy(numbers, (number) => Math.abs(number % 3));
      const ascending = (a: number, b: number) => a - b;
      expect([...groups.values()].flat().toSorted(ascending)).toEqual(numbers.toSorted(ascending));
    }),
  );
});
