import { createHash } from "node:crypto";
import { NOTHING_USED } from "../../domain/run.ts";
import type { JsonObject } from "../../domain/json.ts";
import { toPlain } from "../../lib/document/node.ts";
import { withoutChance } from "../../lib/nonce.ts";
import { INVALID, type JsonSchema, type Shape } from "../../lib/shape/shape.ts";
import type { Answer, Judge, Question, Wording } from "../judge.ts";
import { readReply } from "../asking/read-reply.ts";

/** Where answers are kept between runs. Neither call rejects for an entry that is missing or broken. */
export interface AnswerStore {
  get(key: string): Promise<string | null>;
  put(key: string, text: string): Promise<void>;
}

/**
 * Gives the answer that the same question to the same model got before, without asking. What is stored is read again
 * through the question's shape and objection, so an answer that would no longer be accepted is asked for anew. `address`: where
 * the model is asked; two services may call different models by the same name.
 */
export function cachedJudge(judge: Judge, store: AnswerStore, address: string | null = null): Judge {
  const asking = new Map<string, Promise<unknown>>();
  return {
    ...judge,
    async ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
      const key = answerKey({ ...judge, address }, question);
      // Whoever has the same question while it is being asked waits for that answer.
      while (asking.has(key)) await asking.get(key)?.catch(() => {});
      const answering = askOnce(key, question, signal);
      asking.set(key, answering);
      return await answering.finally(() => asking.delete(key));
    },
  };

  async function askOnce<T>(key: string, question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
    signal.throwIfAborted();
    const kept = await store.get(key);
    const read = kept === null ? null : readReply(kept, question.reply);
    if (read?.ok === true && question.objection(read.value) === null)
      return { status: "answered", value: read.value, usage: NOTHING_USED, cached: true, calls: 0 };
    const answer = await judge.ask(recording(question), signal);
    if (answer.status === "unanswered") return answer;
    await store.put(key, answer.value.written);
    return { ...answer, value: answer.value.value };
  }
}

/** Everything an answer depends on, and nothing else. */
export function answerKey(
  judge: Pick<Judge, "name" | "model"> & { readonly address?: string | null },
  question: Wording & { readonly reply: Pick<Shape<unknown>, "schema"> },
): string {
  const hash = createHash("sha256");
  const add = (part: string | JsonObject | JsonSchema | readonly (string | number)[]): void => {
    const bytes = Buffer.from(withoutChance(JSON.stringify(part), question.chance ?? []));
    hash.update(`${bytes.length}:`).update(bytes);
  };
  const { purpose, promptVersion, system, maxTokens, repetition } = question;
  add([judge.name, judge.model, judge.address ?? "", purpose, promptVersion, maxTokens, repetition]);
  add(system);
  add(question.reply.schema);
  for (const part of question.parts) add({ ...part });
  return hash.digest("hex");
}

/** The same question, whose answer also says how it was written: what a shape makes of a reply need not be JSON. */
function recording<T>(question: Question<T>): Question<{ readonly value: T; readonly written: string }> {
  const { reply } = question;
  return {
    ...question,
    reply: {
      schema: reply.schema,
      read(node, context) {
        const value = reply.read(node, context);
        return value === INVALID ? INVALID : { value, written: JSON.stringify(toPlain(node)) };
      },
    },
    objection: ({ value }) => question.objection(value),
  };
}
