import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { aPair, blindRequest, comparisonReplyOf, wordedJudge } from "../../test/support/comparing.ts";
import { tempTree } from "../../test/support/temp-tree.ts";
import { compareBlind } from "./compare-blind.ts";
import type { Contestant, Pair } from "./pair.ts";

const never = new AbortController().signal;

describe("what judges are shown", () => {
  it("has images where a judge can see, and nobody takes for the same what nobody saw", async () => {
    await using tree = await tempTree();
    const png = (tail: string): Buffer => Buffer.from(`89504e470d0a1a0a0000000d${tail}`, "hex");
    const drawn = async (pair: Pair): Promise<Pair> => ({
      ...pair,
      first: await withFile(pair.first, tree.path("1.png"), png("01")),
      second: await withFile(pair.second, tree.path("2.png"), png("02")),
    });
    const pairs = [await drawn(await aPair(tree.root, { first: "equal", second: "equal" }))];
    for (const takesImages of [true, false]) {
      const judge = { ...wordedJudge(() => comparisonReplyOf(4, 4)), takesImages };
      const outcome = await compareBlind(
        await blindRequest(tree.root, { pairs, judgeFor: () => judge }),
        never,
      );
      expect(outcome.pairs[0]?.identical).toBe(false);
      const images = judge.asked[0]?.parts.filter((part) => part.kind === "image") ?? [];
      expect(images).toHaveLength(takesImages ? 2 : 0);
    }
  });

  it("is nothing where the outputs are the same", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge(() => comparisonReplyOf(5, 2));
    const pairs = [await aPair(tree.root, { first: "equal", second: "equal" })];
    const outcome = await compareBlind(
      await blindRequest(tree.root, { pairs, judgeFor: () => judge }),
      never,
    );
    expect(outcome).toMatchObject({ winner: "TIE", pairs: [{ identical: true, winner: "TIE" }] });
    expect(judge.asked).toEqual([]);
  });
});

async function withFile(contestant: Contestant, stored: string, content: Buffer): Promise<Contestant> {
  await writeFile(stored, content);
  const file = { path: "card.png", origin: "created" as const, sha256: null, stored, bytes: content.length };
  return { ...contestant, subject: { ...contestant.subject, files: [file] } };
}
