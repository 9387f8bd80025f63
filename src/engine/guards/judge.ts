import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { Answer, Judge, Question } from "../../grade/judge.ts";
import { deepFreeze } from "../../lib/deep-freeze.ts";
import { optionalOrNull, required } from "../../lib/shape/object.ts";
import { fields, only, plainOf, readPlain } from "../../lib/shape/read-plain.ts";
import { INVALID, type Shape } from "../../lib/shape/shape.ts";
import { tagged } from "../../lib/shape/tagged.ts";
import { bool, int, oneOf, text } from "../../lib/shape/values.ts";
import { thrownWords } from "../../lib/thrown-words.ts";
import { within } from "../../lib/within.ts";
import { USAGE } from "./usage.ts";

/** As long as two requests to a model service may take: a question is put at most twice. */
const ASK_MS = 20 * 60_000;

const JUDGE = fields({
  name: required(text()),
  model: required(text()),
  transport: optionalOrNull(oneOf(["api", "cli"]), "api" as const),
  takesImages: optionalOrNull(bool(), false),
});

const counted = { usage: required(USAGE), calls: required(int({ min: 0 })) };

/** Without the value, which the question's own shape reads. */
const ANSWER = tagged<Counted>("status", {
  answered: fields({
    status: required(oneOf(["answered"])),
    cached: optionalOrNull(bool(), false),
    ...counted,
  }),
  unanswered: fields({
    status: required(oneOf(["unanswered"])),
    reason: required(text({ blank: "allowed" })),
    ...counted,
  }),
});

type Counted =
  | Omit<Answer<never> & { status: "answered" }, "value">
  | (Answer<never> & { status: "unanswered" });

/**
 * A judge of the user's own. What it is given is frozen; where it fails, does not end or answers something else, there is no
 * answer, with the reason. Throws where it is no judge at all.
 */
export function guardedJudge(judge: Judge): Judge {
  const own = plainOf(only(judge, ["name", "model", "transport", "takesImages"]), JUDGE, "it");
  if (typeof judge.ask !== "function") throw new Error("it has no function ask");
  return {
    ...own,
    async ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
      const heard = hearing(question);
      try {
        const said = await within(() => judge.ask(heard.question, signal), { limitMs: ASK_MS, signal });
        return answerOf(said, heard);
      } catch (error) {
        signal.throwIfAborted();
        const reason = `the judge ${own.name} failed: ${thrownWords(error)}`;
        return { status: "unanswered", reason, usage: UNKNOWN_USAGE, calls: 1 };
      }
    },
  };
}

interface Hearing<T> {
  readonly question: Question<T>;
  /** What the question's shape has made of replies. */
  readonly read: ReadonlySet<unknown>;
}

/** The same question, frozen, which knows what its shape has read: what a shape makes of a reply need not be JSON. */
function hearing<T>(question: Question<T>): Hearing<T> {
  const read = new Set<unknown>();
  const reply: Shape<T> = {
    schema: question.reply.schema,
    read(node, context) {
      const value = question.reply.read(node, context);
      if (value !== INVALID) read.add(value);
      return value;
    },
  };
  const heard = { ...question, reply };
  deepFreeze(heard);
  return { question: heard, read };
}

function answerOf<T>(said: Answer<T>, { question, read }: Hearing<T>): Answer<T> {
  const answer = plainOf(
    only(said, ["status", "reason", "cached", "usage", "calls"]),
    ANSWER,
    "what ask returned",
  );
  if (answer.status === "unanswered") return answer;
  const { value } = said as Answer<T> & { status: "answered" };
  if (read.has(value)) return { ...answer, value };
  const own = readPlain(value, question.reply, "its value");
  if (!own.ok) throw new Error(own.problems.map(({ message }) => message).join("; "));
  const objection = question.objection(own.value);
  if (objection !== null) throw new Error(objection);
  return { ...answer, value: own.value };
}
