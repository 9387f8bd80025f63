import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  aPair,
  blindRequest,
  comparisonReplyOf,
  shownOutputs,
  wordedJudge,
} from "../../test/support/comparing.ts";
import { tempTree } from "../../test/support/temp-tree.ts";
import type { Json } from "../domain/json.ts";
import { comparisonReader } from "../store/read/comparison.ts";
import { compareBlind } from "./compare-blind.ts";

const never = new AbortController().signal;

describe("what a judge says of a pair", () => {
  it("names a contradiction to the judge once, and takes the answer that fits together", async () => {
    await using tree = await tempTree();
    const problems: string[] = [];
    const judge = wordedJudge((question, { rejected }) => {
      if (rejected === null) return comparisonReplyOf(4, 2, { winner: "2" });
      problems.push(rejected.problem);
      const [one] = shownOutputs(question);
      return one.includes("good") ? comparisonReplyOf(4, 2) : comparisonReplyOf(2, 4);
    });
    const outcome = await compareBlind(
      await blindRequest(tree.root, { judgeFor: () => judge, judges: 3 }),
      never,
    );
    expect(outcome.leaning).toBe("second");
    expect(judge.asked).toHaveLength(12);
    expect(new Set(problems)).toEqual(
      new Set([
        "winner and points contradict each other: winner is 2, but by the means of the points output 1 has 8 and output 2 has 4, which makes it 1",
      ]),
    );
  });

  it("leaves a judge that goes on contradicting itself unscored", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge(() => comparisonReplyOf(4, 2, { winner: "tie" }));
    const asked = await blindRequest(tree.root, { judgeFor: () => judge });
    const outcome = await compareBlind(asked, never);
    expect(outcome).toMatchObject({
      winner: "TIE",
      positionAgreement: null,
      votes: { unscored: 3 },
    });
    expect(outcome.pairs[0]?.judgements[0]?.problem).toContain("contradict");
    expect(await readdir(asked.folder.root)).not.toContain("comparison-1.json");
  });

  it("needs the same criteria on both sides", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge(() => {
      const reply = comparisonReplyOf(4, 4) as Record<string, Record<string, Json>>;
      return {
        ...reply,
        output_2: { ...reply["output_2"], content: [{ criterion: "Speed", points: 4 }] },
      };
    });
    const outcome = await compareBlind(await blindRequest(tree.root, { judgeFor: () => judge }), never);
    expect(outcome.pairs[0]?.judgements[0]?.problem).toMatch(/use the same for both/);
  });

  it("lets the share of passed expectations decide between equal points", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge(() => comparisonReplyOf(4, 4));
    const pair = await aPair(tree.root, { first: "one", second: "two" });
    const graded = {
      ...pair,
      first: { ...pair.first, expectations: [{ text: "says two", passed: false }] },
      second: { ...pair.second, expectations: [{ text: "says two", passed: true }] },
    };
    const asked = await blindRequest(tree.root, { pairs: [graded], judgeFor: () => judge });
    const outcome = await compareBlind(asked, never);
    expect(outcome.leaning).toBe("second");
    const { value, diagnostics } = await comparisonReader.read(asked.folder.comparison(1));
    expect(diagnostics).toEqual([]);
    const side = outcome.pairs[0]?.sides.A === "second" ? "A" : "B";
    expect(value?.expectationResults?.[side].summary).toMatchObject({ passed: 1, total: 1, passRate: 1 });
  });

  it("says so when there is nobody to ask", async () => {
    await using tree = await tempTree();
    const outcome = await compareBlind(await blindRequest(tree.root, {}), never);
    expect(outcome).toMatchObject({ winner: "TIE", votes: { unscored: 3 } });
    expect(outcome.pairs[0]?.judgements[0]?.problem).toContain("no judge is configured");
  });
});
