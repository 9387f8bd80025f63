import { describe, expect, it } from "vitest";
import { splitCases } from "./split-cases.ts";

describe("the split of cases", () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
    [6, 2],
    [10, 3],
  ])("of %i holds %i out, whatever the order", (count, heldOut) => {
    const ids = Array.from({ length: count }, (_, index) => `case-${index}`);
    const split = splitCases(ids, 5);
    expect(split.heldOut).toHaveLength(heldOut);
    expect([...split.train, ...split.heldOut].toSorted()).toEqual(ids.toSorted());
    expect(splitCases(ids.toReversed(), 5).heldOut.toSorted()).toEqual(split.heldOut.toSorted());
  });
});
