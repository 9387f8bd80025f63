import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../src/domain/json.ts";
import type { Case } from "../../src/domain/suite.ts";
import { UNKNOWN_USAGE } from "../../src/domain/run.ts";
import type { Contestant, Pair } from "../../src/compare/pair.ts";
import { askTwice, type Utterance } from "../../src/grade/asking/ask-twice.ts";
import { capturedSubject } from "../../src/grade/captured-subject.ts";
import type { Judge, Wording } from "../../src/grade/judge.ts";
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
