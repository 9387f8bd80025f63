import { describe, expect, it } from "vitest";
import { goodPairs } from "../../test/support/comparing.ts";
import { tempTree } from "../../test/support/temp-tree.ts";
import { assignSides, sidesOfPairs } from "./assignment.ts";
import type { Contender, Pair } from "./pair.ts";

const VERSIONS = { first: "v1", second: "v2" };

/** Which version is A, pair by pair. */
function sidesOf(pairs: readonly Pair[], { seed = 1, versions = VERSIONS } = {}): readonly Contender[] {
  return sidesOfPairs({ pairs, versions, seed }).map(({ A }) => A);
}

describe("the sides", () => {
  it.each([2, 3, 8, 11])("give A to either version in half of %i pairs", async (count) => {
    await using tree = await tempTree();
    const pairs = await goodPairs(tree.root, count);
    for (let seed = 1; seed <= 20; seed++) {
      const firstIsA = sidesOf(pairs, { seed }).filter((side) => side === "first").length;
      expect([Math.floor(count / 2), Math.ceil(count / 2)]).toContain(firstIsA);
    }
  });

  it("of a single pair differ from comparison to comparison with the same seed", async () => {
    await using tree = await tempTree();
    const pairs = await goodPairs(tree.root, 1);
    const sides = Array.from({ length: 40 }, (_, number) =>
      sidesOf(pairs, { versions: { first: `v${number}`, second: `v${number + 1}` } }),
    ).flat();
    const first = sides.filter((side) => side === "first").length;
    expect(first).toBeGreaterThan(10);
    expect(first).toBeLessThan(30);
  });

  it("are the same when the comparison is repeated", async () => {
    await using tree = await tempTree();
    const pairs = await goodPairs(tree.root, 9);
    expect(sidesOf(pairs)).toEqual(sidesOf(pairs));
  });
});

it("numbers the judgements of pairs that are asked about without a gap", async () => {
  await using tree = await tempTree();
  const pairs = await goodPairs(tree.root, 3);
  const assigned = assignSides({ pairs, versions: VERSIONS, judges: 2, seed: 1 }, (index) => index !== 1);
  expect(assigned.pairs.map(({ comparisons }) => comparisons)).toEqual([[1, 2], [], [3, 4]]);
});
