import { createHash } from "node:crypto";
import { withoutChance } from "../../lib/nonce.ts";
import type { Answer, Judge, Question } from "../judge.ts";

/**
 * Asks the same question again only when it has been answered before, so that the first answer is the first asker's.
 * A recording knows answers by what was asked and by their order alone.
 */
export function inTurn(judge: Judge): Judge {
  const last = new Map<string, Promise<void>>();
  return {
    ...judge,
    ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
      const { system, parts, chance = [] } = question;
      const key = createHash("sha256")
        .update(withoutChance(JSON.stringify([system, parts]), chance))
        .digest("hex");
      const answer = (last.get(key) ?? Promise.resolve()).then(() => judge.ask(question, signal));
      last.set(key, answer.then(nothing, nothing));
      return answer;
    },
  };
}

function nothing(): void {
  // Neither the answer nor the failure is kept.
}
