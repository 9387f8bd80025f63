import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  blindRequest,
  comparisonReplyOf,
  fairJudge,
  goodPairs,
  shownOutputs,
  wordedJudge,
} from "../../test/support/comparing.ts";
import { tempTree } from "../../test/support/temp-tree.ts";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import type { Wording } from "../grade/judge.ts";
import { type AnswerStore, cachedJudge } from "../grade/judges/cached.ts";
import { comparisonFolder } from "../store/layout.ts";
import type { Assignment } from "./assignment.ts";
import { compareBlind } from "./compare-blind.ts";

const never = new AbortController().signal;

describe("what a blind comparison writes", () => {
  it("names the sides before the first question", async () => {
    await using tree = await tempTree();
    const seen: string[][] = [];
    const folder = comparisonFolder(`${tree.root}/grading/v2-vs-v1`);
    const judge = {
      ...fairJudge(),
      ask: async () => {
        seen.push(await readdir(folder.root));
        return { status: "unanswered", reason: "asleep", usage: UNKNOWN_USAGE, calls: 1 } as const;
      },
    };
    await compareBlind(await blindRequest(tree.root, { judgeFor: () => judge, judges: 1 }), never);
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
    const asked = await blindRequest(tree.root, { judgeFor: () => judge });
    const { pairs } = await compareBlind(asked, never);
    const [good, plain] = pairs[0]?.sides.A === "second" ? (["A", "B"] as const) : (["B", "A"] as const);
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
    const judge = fairJudge();
    const asked = await blindRequest(tree.root, { judgeFor: () => judge });
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
    const pairs = await goodPairs(tree.root, 6);
    const asked = await blindRequest(tree.root, { pairs, judgeFor: () => cached, concurrency: 1 });
    await expect(compareBlind(asked, stop.signal)).rejects.toThrow("interrupted");
    const before = JSON.parse(await readFile(asked.folder.assignment, "utf8")) as unknown;
    const outcome = await compareBlind(asked, never);
    expect(outcome).toMatchObject({ winner: "second", votes: { unscored: 0 } });
    expect(heard).toHaveLength(6 * 3 * 2);
    expect(JSON.parse(await readFile(asked.folder.assignment, "utf8"))).toEqual(before);
  });
});

function points(given: Readonly<Record<string, number>>) {
  return Object.entries(given).map(([criterion, each]) => ({ criterion, points: each }));
}
