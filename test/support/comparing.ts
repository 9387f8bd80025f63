import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../src/domain/json.ts";
import type { Case } from "../../src/domain/suite.ts";
import { UNKNOWN_USAGE } from "../../src/domain/run.ts";
import type { BlindRequest } from "../../src/compare/compare-blind.ts";
import type { Contestant, Pair } from "../../src/compare/pair.ts";
import { askTwice, type Utterance } from "../../src/grade/asking/ask-twice.ts";
import { capturedSubject } from "../../src/grade/captured-subject.ts";
import type { Judge, Wording } from "../../src/grade/judge.ts";
import { secretMask } from "../../src/lib/secret-mask.ts";
import { comparisonFolder } from "../../src/store/layout.ts";
import { aCase } from "./cases.ts";

/** A judge whose every reply is made from the wording of the question, and who writes down what it was asked. */
export function wordedJudge(
  reply: (question: Wording, utterance: Utterance) => Json,
): Judge & { readonly asked: Wording[] } {
  const asked: Wording[] = [];
  return {
    name: "worded",
    model: "worded-1",
    asked,
    ask: (question, signal) => {
      signal.throwIfAborted();
      return askTwice(question, (utterance) => {
        asked.push(question);
        const text = JSON.stringify(reply(question, utterance));
        return Promise.resolve({ status: "said", text, stop: "end", usage: UNKNOWN_USAGE });
      });
    },
  };
}

/** What stands behind the headings `output 1` and `output 2` of a comparison. */
export function shownOutputs({ parts }: Wording): readonly [string, string] {
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const [, one = "", two = ""] = text.split(/\[\[[0-9a-f]{12} output [12]\]\]\n/);
  return [one, two];
}

/** A reply that gives every criterion these points, and is honest about the winner. */
export function comparisonReplyOf(
  one: number,
  two: number,
  extra: Readonly<Record<string, Json>> = {},
): Json {
  const rated = (points: number): Json => ({
    content: ["correctness", "completeness", "accuracy"].map((criterion) => ({ criterion, points })),
    structure: ["organization", "formatting", "usability"].map((criterion) => ({ criterion, points })),
    strengths: [`${points} points strong`],
    weaknesses: [],
  });
  const winner = one === two ? "tie" : one > two ? "1" : "2";
  return {
    output_1: rated(one),
    output_2: rated(two),
    reasoning: "output 1 and output 2 were weighed.",
    winner,
    confidence: 0.8,
    ...extra,
  };
}

/** Two texts as outputs of one case, kept below `root`. */
export async function aPair(
  root: string,
  texts: { readonly first: string; readonly second: string },
  parts: Partial<Case> & { readonly repetition?: number } = {},
): Promise<Pair> {
  const { repetition = 1, ...rest } = parts;
  const one = aCase(rest);
  const contestant = async (who: "first" | "second"): Promise<Contestant> => {
    const path = join(root, `${one.id}-${repetition}-${who}.txt`);
    await writeFile(path, texts[who]);
    const { size: bytes } = await stat(path);
    const subject = capturedSubject(one, { path, bytes }, { skill: null, now: new Date(0) });
    return { name: `${who}.txt`, subject, expectations: [] };
  };
  return { caseId: one.id, repetition, first: await contestant("first"), second: await contestant("second") };
}

/** A comparison of two texts by three judges; nobody is there to be asked unless `parts` says so. */
export async function blindRequest(root: string, parts: Partial<BlindRequest> = {}): Promise<BlindRequest> {
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
export function fairJudge(): ReturnType<typeof wordedJudge> {
  return wordedJudge((question) => {
    const [one, two] = shownOutputs(question);
    return comparisonReplyOf(one.includes("good") ? 5 : 3, two.includes("good") ? 5 : 3);
  });
}

/** Pairs of which the second output is the good one, each of a case of its own. */
export function goodPairs(root: string, count: number): Promise<readonly Pair[]> {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  return Promise.all(
    ids.map((id) => aPair(root, { first: `plain ${id}`, second: `good ${id}` }, { id, repetition: 1 })),
  );
}
