import { readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { aPair, comparisonReplyOf, shownOutputs, wordedJudge } from "../../test/support/comparing.ts";
import { tempTree } from "../../test/support/temp-tree.ts";
import type { Json } from "../domain/json.ts";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import type { Wording } from "../grade/judge.ts";
import { type AnswerStore, cachedJudge } from "../grade/judges/cached.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { comparisonFolder } from "../store/layout.ts";
import { comparisonReader } from "../store/read/comparison.ts";
import type { Assignment } from "./assignment.ts";
import { type BlindRequest, compareBlind } from "./compare-blind.ts";
import type { Contestant, Pair } from "./pair.ts";

const never = new AbortController().signal;

async function request(root: string, parts: Partial<BlindRequest>): Promise<BlindRequest> {
  return {
    pairs: parts.pairs ?? [await aPair(root, { first: "a plain answer", second: "a good answer" })],
    versions: { first: "iteration-1", second: "iteration-2" },
    markers: [],
    judges: 3,
    judgeFor: () => null,
    seed: 1,
    folder: comparisonFolder(`${root}/grading/v2-vs-v1`),
    mask: secretMask([]),
    concurrency: 4,
    ...parts,
  };
}

/** Likes the output that says "good". */
const fair = () =>
  wordedJudge((question) => {
    const [one, two] = shownOutputs(question);
    return comparisonReplyOf(one.includes("good") ? 5 : 3, two.includes("good") ? 5 : 3);
  });

describe("a blind comparison", () => {
  it("is won by the side that every judge prefers in both orders, whichever side the coin gave it", async () => {
    for (const seed of [1, 2, 3, 4]) {
      await using tree = await tempTree();
      const judge = fair();
      const outcome = await compareBlind(await request(tree.root, { judgeFor: () => judge, seed }), never);
      expect(outcome).toMatchObject({ winner: "second", leaning: null, positionAgreement: 1 });
      expect(judge.asked).toHaveLength(6);
    }
  });

  it("gives both sides to the coin", async () => {
    await using tree = await tempTree();
    const sides = new Set<string>();
    for (let seed = 1; seed <= 8; seed++) {
      const judge = fair();
      sides.add(
        (await compareBlind(await request(tree.root, { judgeFor: () => judge, seed }), never)).assignment.A,
      );
    }
    expect([...sides].toSorted()).toEqual(["first", "second"]);
  });

  it("is a tie when the judge always prefers what it sees first", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge(() => comparisonReplyOf(5, 2));
    const outcome = await compareBlind(await request(tree.root, { judgeFor: () => judge }), never);
    expect(outcome).toMatchObject({
      winner: "TIE",
      leaning: null,
      positionAgreement: 0,
      tally: { votes: { A: 0, B: 0, TIE: 0, split: 3, unscored: 0 } },
    });
  });

  it("shows images to a judge that can see, and never takes for the same what nobody saw", async () => {
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
      const outcome = await compareBlind(await request(tree.root, { pairs, judgeFor: () => judge }), never);
      expect(outcome.pairs[0]?.identical).toBe(false);
      const images = judge.asked[0]?.parts.filter((part) => part.kind === "image") ?? [];
      expect(images).toHaveLength(takesImages ? 2 : 0);
    }
  });

  it("does not ask about outputs that are the same", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge(() => comparisonReplyOf(5, 2));
    const pairs = [await aPair(tree.root, { first: "equal", second: "equal" })];
    const outcome = await compareBlind(await request(tree.root, { pairs, judgeFor: () => judge }), never);
    expect(outcome).toMatchObject({ winner: "TIE", pairs: [{ identical: true, winner: "TIE" }] });
    expect(judge.asked).toEqual([]);
  });

  it("names a contradiction to the judge once, and takes the answer that fits together", async () => {
    await using tree = await tempTree();
    const problems: string[] = [];
    const judge = wordedJudge((question, { rejected }) => {
      if (rejected === null) return comparisonReplyOf(4, 2, { winner: "2" });
      problems.push(rejected.problem);
      const [one] = shownOutputs(question);
      return one.includes("good") ? comparisonReplyOf(4, 2) : comparisonReplyOf(2, 4);
    });
    const outcome = await compareBlind(await request(tree.root, { judgeFor: () => judge, judges: 3 }), never);
    expect(outcome.winner).toBe("second");
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
    const asked = await request(tree.root, { judgeFor: () => judge });
    const outcome = await compareBlind(asked, never);
    expect(outcome).toMatchObject({
      winner: "TIE",
      positionAgreement: null,
      tally: { votes: { unscored: 3 } },
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
    const outcome = await compareBlind(await request(tree.root, { judgeFor: () => judge }), never);
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
    const asked = await request(tree.root, { pairs: [graded], judgeFor: () => judge });
    const outcome = await compareBlind(asked, never);
    expect(outcome.winner).toBe("second");
    const { value, diagnostics } = await comparisonReader.read(asked.folder.comparison(1));
    expect(diagnostics).toEqual([]);
    const side = outcome.assignment.A === "second" ? "A" : "B";
    expect(value?.expectationResults?.[side].summary).toMatchObject({ passed: 1, total: 1, passRate: 1 });
  });

  it("says so when there is nobody to ask", async () => {
    await using tree = await tempTree();
    const outcome = await compareBlind(await request(tree.root, {}), never);
    expect(outcome).toMatchObject({ winner: "TIE", tally: { votes: { unscored: 3 } } });
    expect(outcome.pairs[0]?.judgements[0]?.problem).toContain("no judge is configured");
  });
});

describe("what is written", () => {
  it("names the sides before the first question", async () => {
    await using tree = await tempTree();
    const seen: string[][] = [];
    const folder = comparisonFolder(`${tree.root}/grading/v2-vs-v1`);
    const judge = {
      ...fair(),
      ask: async () => {
        seen.push(await readdir(folder.root));
        return { status: "unanswered", reason: "asleep", usage: UNKNOWN_USAGE, calls: 1 } as const;
      },
    };
    await compareBlind(await request(tree.root, { judgeFor: () => judge, judges: 1 }), never);
    expect(seen[0]).toEqual(["assignment.json"]);
  });

  it("has the seed's fields, with numbers that code computed", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge((question) => {
      const [one] = shownOutputs(question);
      const good = {
        content: points({ correctness: 5, completeness: 5, accuracy: 4 }),
        structure: points({ organization: 4, formatting: 5, usability: 4 }),
        strengths: ["Complete"],
        weaknesses: [],
      };
      const plain = {
        content: points({ correctness: 3, completeness: 2, accuracy: 3 }),
        structure: points({ organization: 3, formatting: 2, usability: 3 }),
        strengths: [],
        weaknesses: ["Missing date"],
      };
      const first = one.includes("good");
      return {
        output_1: first ? good : plain,
        output_2: first ? plain : good,
        reasoning: `Output ${first ? 1 : 2} is complete.`,
        winner: first ? "1" : "2",
        confidence: 0.9,
      };
    });
    const asked = await request(tree.root, { judgeFor: () => judge });
    const { assignment } = await compareBlind(asked, never);
    const [good, plain] = assignment.A === "second" ? (["A", "B"] as const) : (["B", "A"] as const);
    const written = JSON.parse(await readFile(asked.folder.comparison(2), "utf8")) as Record<string, unknown>;
    expect(written).toEqual({
      winner: good,
      reasoning: `output ${good} is complete.`,
      rubric: {
        [good]: {
          content: { correctness: 5, completeness: 5, accuracy: 4 },
          structure: { organization: 4, formatting: 5, usability: 4 },
          content_score: 4.7,
          structure_score: 4.3,
          overall_score: 9,
        },
        [plain]: {
          content: { correctness: 3, completeness: 2, accuracy: 3 },
          structure: { organization: 3, formatting: 2, usability: 3 },
          content_score: 2.7,
          structure_score: 2.7,
          overall_score: 5.4,
        },
      },
      output_quality: {
        [good]: { score: 9, strengths: ["Complete"], weaknesses: [] },
        [plain]: { score: 5, strengths: [], weaknesses: ["Missing date"] },
      },
      case_id: "1",
      repetition: 1,
      judge: 2,
      judge_model: "worded-1",
      confidence: 0.9,
      position_agreement: true,
    });
    expect((await readdir(asked.folder.root)).toSorted()).toEqual([
      "assignment.json",
      ...[1, 2, 3].map((number) => `comparison-${number}.json`),
      "outcome.json",
      ...[1, 2, 3].map((number) => `replies-${number}.json`),
    ]);
  });

  it("replaces judgements that were made under other circumstances", async () => {
    await using tree = await tempTree();
    const judge = fair();
    const asked = await request(tree.root, { judgeFor: () => judge });
    await compareBlind(asked, never);
    await compareBlind({ ...asked, judges: 1 }, never);
    expect((await readdir(asked.folder.root)).filter((name) => name.startsWith("comparison"))).toEqual([
      "comparison-1.json",
    ]);
    const assignment = JSON.parse(await readFile(asked.folder.assignment, "utf8")) as Assignment;
    expect(assignment.judges).toBe(1);
  });

  it("is completed after an interruption without asking anything twice", async () => {
    await using tree = await tempTree();
    const kept = new Map<string, string>();
    const store: AnswerStore = {
      get: async (key) => kept.get(key) ?? null,
      put: async (key, text) => void kept.set(key, text),
    };
    const stop = new AbortController();
    const heard: Wording[] = [];
    const judge = wordedJudge((question) => {
      heard.push(question);
      if (heard.length === 5) stop.abort(new Error("interrupted"));
      const [one, two] = shownOutputs(question);
      return comparisonReplyOf(one.includes("good") ? 5 : 3, two.includes("good") ? 5 : 3);
    });
    const cached = cachedJudge(judge, store);
    const pairs = await Promise.all(
      ["1", "2", "3"].map((id) => aPair(tree.root, { first: `plain ${id}`, second: `good ${id}` }, { id })),
    );
    const asked = await request(tree.root, { pairs, judgeFor: () => cached, concurrency: 1 });
    await expect(compareBlind(asked, stop.signal)).rejects.toThrow("interrupted");
    const before = JSON.parse(await readFile(asked.folder.assignment, "utf8")) as unknown;
    const outcome = await compareBlind(asked, never);
    expect(outcome).toMatchObject({ winner: "second", tally: { votes: { unscored: 0 } } });
    expect(heard).toHaveLength(3 * 3 * 2);
    expect(JSON.parse(await readFile(asked.folder.assignment, "utf8"))).toEqual(before);
  });
});

function points(given: Readonly<Record<string, number>>) {
  return Object.entries(given).map(([criterion, each]) => ({ criterion, points: each }));
}

async function withFile(contestant: Contestant, stored: string, content: Buffer): Promise<Contestant> {
  await writeFile(stored, content);
  const file = { path: "card.png", origin: "created" as const, sha256: null, stored, bytes: content.length };
  return { ...contestant, subject: { ...contestant.subject, files: [file] } };
}
