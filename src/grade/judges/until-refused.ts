import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { Answer, Judge, Question } from "../judge.ts";

/**
 * Asks nothing more once the judge's key, account or model is refused, and gives that as the reason. A judge that has answered
 * before gets the benefit of the doubt once: a service may take offense at a single question.
 */
export function untilRefused(judge: Judge): Judge {
  let refusal: string | null = null;
  let doubts = 0;
  return {
    ...judge,
    async ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
      if (refusal !== null)
        return { status: "unanswered", reason: refusal, usage: UNKNOWN_USAGE, calls: 0, isLasting: true };
      const answer = await judge.ask(question, signal);
      if (answer.status === "answered") doubts = 1;
      else if (answer.isLasting && doubts-- <= 0) refusal = `${answer.reason}; not asked again`;
      // The same words for the one that was asked: it is one reason.
      return answer.status === "answered" || refusal === null ? answer : { ...answer, reason: refusal };
    },
  };
}
