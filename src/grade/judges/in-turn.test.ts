import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { anything } from "../../lib/shape/values.ts";
import type { Answer, Judge, Question } from "../judge.ts";
import { inTurn } from "./in-turn.ts";

const NEVER = new AbortController().signal;

function question(text: string): Question<unknown> {
  return {
    purpose: "comparison",
    promptVersion: "1",
    system: "You compare.",
    parts: [{ kind: "text", text }],
    reply: anything(),
    objection: () => null,
    maxTokens: 10,
    repetition: 0,
  };
}

/** A judge whose answers are given, or refused, by hand in any order. */
function manualJudge() {
  const open: { text: string; answer: (value: unknown) => void; refuse: (error: Error) => void }[] = [];
  const judge: Judge = {
    name: "manual",
    model: "manual-1",
    ask: <T>({ parts: [part] }: Question<T>) =>
      new Promise<Answer<T>>((resolve, reject) => {
        open.push({
          text: part?.kind === "text" ? part.text : "",
          answer: (value) =>
            resolve({ status: "answered", value: value as T, usage: UNKNOWN_USAGE, cached: false, calls: 1 }),
          refuse: reject,
        });
      }),
  };
  return { judge, open };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a judge that is asked in turn", () => {
  it("gets the same question again only after its answer, and other questions at once", async () => {
    const { judge, open } = manualJudge();
    const asking = inTurn(judge);
    const answers = ["same", "other", "same", "same"].map((text) => asking.ask(question(text), NEVER));
    await turn();
    expect(open.map(({ text }) => text)).toEqual(["same", "other"]);
    for (const [at, value] of [
      [0, "first"],
      [2, "second"],
      [3, "third"],
      [1, "elsewhere"],
    ] as const) {
      open[at]?.answer(value);
      await turn();
    }
    expect((await Promise.all(answers)).map((one) => one.status === "answered" && one.value)).toEqual([
      "first",
      "elsewhere",
      "second",
      "third",
    ]);
  });

  it("goes on after a question that was broken off", async () => {
    const { judge, open } = manualJudge();
    const asking = inTurn(judge);
    const [one, two] = [asking.ask(question("same"), NEVER), asking.ask(question("same"), NEVER)];
    await turn();
    open[0]?.refuse(new Error("interrupted"));
    await expect(one).rejects.toThrow("interrupted");
    await turn();
    open[1]?.answer("then");
    expect(await two).toMatchObject({ value: "then" });
  });

  it("is the judge that it asks", () => {
    const { judge } = manualJudge();
    expect(inTurn(judge)).toMatchObject({ name: "manual", model: "manual-1" });
  });
});
