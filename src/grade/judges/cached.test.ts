import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { refine, text } from "../../lib/shape/values.ts";
import { askTwice, type Said } from "../asking/ask-twice.ts";
import { judgeContract, question, type ScriptedReply } from "../judge.contract.ts";
import type { Judge, Question } from "../judge.ts";
import { answerKey, type AnswerStore, cachedJudge } from "./cached.ts";

const NEVER = new AbortController().signal;
const GOOD = { verdicts: [1, 2].map((index) => ({ index, evidence: "e", passed: true, score: 1 })) };

function memory(): AnswerStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (key) => kept.get(key) ?? null,
    put: async (key, value) => void kept.set(key, value),
  };
}

/** Says the scripted replies; when they are used up, the last again. */
function scripted(replies: readonly ScriptedReply[]): Judge & { readonly heard: string[] } {
  const heard: string[] = [];
  const usage = { ...UNKNOWN_USAGE, inputTokens: 10, outputTokens: 5 };
  return {
    heard,
    name: "scripted",
    model: "m-1",
    async ask<T>(asked: Question<T>, signal: AbortSignal) {
      return askTwice(asked, async ({ rejected }): Promise<Said> => {
        signal.throwIfAborted();
        const parts = asked.parts.map((part) => (part.kind === "text" ? part.text : ""));
        heard.push([asked.system, ...parts, rejected?.problem ?? ""].join("\n"));
        const reply = replies[Math.min(heard.length, replies.length) - 1] ?? { fails: "no script" };
        if ("fails" in reply) return { status: "silent", reason: reply.fails, usage };
        return { status: "said", text: reply.says, stop: reply.stop ?? "end", usage };
      });
    },
  };
}

judgeContract("cached", async (replies) => {
  const judge = scripted(replies);
  return { judge: cachedJudge(judge, memory()), heard: () => judge.heard };
});

describe("a cached judge", () => {
  it("asks once what is asked twice at the same time", async () => {
    const judge = scripted([{ says: JSON.stringify(GOOD) }]);
    const cached = cachedJudge(judge, memory());
    const answers = await Promise.all([cached.ask(question(), NEVER), cached.ask(question(), NEVER)]);
    expect(judge.heard).toHaveLength(1);
    expect(answers.map(({ status }) => status)).toEqual(["answered", "answered"]);
    expect(answers.map(({ calls }) => calls)).toEqual([1, 0]);
  });

  it("asks once and answers again from memory, for nothing", async () => {
    const judge = scripted([{ says: JSON.stringify(GOOD) }]);
    const cached = cachedJudge(judge, memory());
    const first = await cached.ask(question(), NEVER);
    const second = await cached.ask(question(), NEVER);
    expect(second).toMatchObject({
      status: "answered",
      cached: true,
      calls: 0,
      usage: { costUsd: 0, inputTokens: 0 },
    });
    expect(second.status === "answered" && first.status === "answered" && second.value).toEqual(
      first.status === "answered" && first.value,
    );
    expect(judge.heard).toHaveLength(1);
  });

  it("makes of a remembered reply what the shape makes of a fresh one", async () => {
    const reply = refine(text(), (word) => new Map([[word, word.length]]));
    const asked: Question<Map<string, number>> = { ...question(), reply, objection: () => null };
    const cached = cachedJudge(scripted([{ says: '"four"' }]), memory());
    await cached.ask(asked, NEVER);
    expect(await cached.ask(asked, NEVER)).toMatchObject({ cached: true, value: new Map([["four", 4]]) });
  });

  it("does not remember a failure", async () => {
    const store = memory();
    const judge = scripted([{ fails: "offline" }, { says: JSON.stringify(GOOD) }]);
    const cached = cachedJudge(judge, store);
    expect((await cached.ask(question(), NEVER)).status).toBe("unanswered");
    expect(store.kept.size).toBe(0);
    expect((await cached.ask(question(), NEVER)).status).toBe("answered");
  });

  it.each(["", "{", '{"verdicts": [{"index": "one"}]}', '{"verdicts": []}'])(
    "asks anew when what it remembers is of no use: %j",
    async (broken) => {
      const store = memory();
      const judge = scripted([{ says: JSON.stringify(GOOD) }]);
      store.kept.set(answerKey(judge, question()), broken);
      expect(await cachedJudge(judge, store).ask(question(), NEVER)).toMatchObject({
        cached: false,
        calls: 1,
      });
    },
  );
});

describe("the key of an answer", () => {
  const judge = { name: "anthropic", model: "m-1" };
  const key = answerKey(judge, question());

  it("is the same for the same question", () => {
    expect(answerKey({ ...judge }, question())).toBe(key);
  });

  it.each<[string, Partial<Question<never>>]>([
    ["purpose", { purpose: "extraction" }],
    ["prompt version", { promptVersion: "2" }],
    ["system text", { system: "another" }],
    ["evidence", { parts: [{ kind: "text", text: "another" }] }],
    [
      "division of the evidence",
      {
        parts: [
          { kind: "text", text: "Look at THE-EVIDENCE" },
          { kind: "text", text: " and judge two criteria." },
        ],
      },
    ],
    ["image", { parts: [{ kind: "image", mediaType: "image/png", base64: "aGk=" }] }],
    ["room", { maxTokens: 2000 }],
    ["repetition", { repetition: 1 }],
    ["schema", { reply: text() as never }],
  ])("changes with its %s", (_, changes) => {
    expect(answerKey(judge, { ...question(), ...changes })).not.toBe(key);
  });

  it("changes with the judge", () => {
    expect(answerKey({ ...judge, model: "m-2" }, question())).not.toBe(key);
    expect(answerKey({ ...judge, name: "claude-cli" }, question())).not.toBe(key);
  });
});
