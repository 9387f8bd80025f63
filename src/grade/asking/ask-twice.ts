import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import type { Answer, Question } from "../judge.ts";
import { readReply } from "./read-reply.ts";

/** What a model said to a question. */
export type Said =
  | {
      readonly status: "said";
      readonly text: string;
      /** `cut`: it was not allowed to finish. */
      readonly stop: "end" | "cut" | "refused";
      readonly usage: Usage;
    }
  /** The model was never heard; trying again has already been tried. */
  | {
      readonly status: "silent";
      readonly reason: string;
      readonly usage: Usage;
      /** See `Answer`. */
      readonly isLasting?: true;
    };

/** What is put to the model: the question, and after a reply that cannot be used that reply with the problem in it. */
export interface Utterance {
  readonly maxTokens: number;
  readonly rejected: {
    /** Empty when there is nothing worth showing again. */
    readonly reply: string;
    readonly problem: string;
  } | null;
}

/** Asks, reads the reply, and asks once more with the problem named. Rejects only when `say` does. */
export async function askTwice<T>(
  question: Question<T>,
  say: (utterance: Utterance) => Promise<Said>,
): Promise<Answer<T>> {
  let usage = UNKNOWN_USAGE;
  let utterance: Utterance = { maxTokens: question.maxTokens, rejected: null };
  for (let calls = 1; ; calls++) {
    const said = await say(utterance);
    usage = addUsage(usage, said.usage);
    if (said.status === "silent") {
      const { status: _, ...silence } = said;
      return { status: "unanswered", ...silence, usage, calls };
    }
    const read = readSaid(said, question);
    if (read.ok) return { status: "answered", value: read.value, usage, cached: false, calls };
    if (calls === 2) return { status: "unanswered", reason: read.problem, usage, calls };
    utterance = {
      maxTokens: said.stop === "cut" ? 2 * question.maxTokens : question.maxTokens,
      rejected: { reply: said.stop === "end" ? said.text.trim() : "", problem: read.problem },
    };
  }
}

/** The words that go with a rejected reply. */
export function complaint(problem: string): string {
  return `That reply cannot be used: ${problem}.\nReply again to the same question, with the JSON value alone.`;
}

function readSaid<T>(
  said: Said & { status: "said" },
  question: Question<T>,
): ReturnType<typeof readReply<T>> {
  if (said.stop === "refused") {
    const words = said.text.trim().slice(0, 300);
    return { ok: false, problem: `the model refused to answer${words === "" ? "" : `: ${words}`}` };
  }
  if (said.stop === "cut")
    return { ok: false, problem: `the reply was cut off at ${question.maxTokens} tokens; be briefer` };
  const read = readReply(said.text, question.reply);
  const objection = read.ok ? question.objection(read.value) : null;
  return objection === null ? read : { ok: false, problem: objection };
}
