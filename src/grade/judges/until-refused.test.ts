import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { question } from "../judge.contract.ts";
import type { Answer, Judge } from "../judge.ts";
import { untilRefused } from "./until-refused.ts";

const NEVER = new AbortController().signal;
const ANSWERS: Readonly<Record<string, Answer<never>>> = {
  yes: { status: "answered", value: "yes" as never, usage: UNKNOWN_USAGE, cached: false, calls: 1 },
  busy: { status: "unanswered", reason: "rate-limit: 429: later", usage: UNKNOWN_USAGE, calls: 1 },
  refused: {
    status: "unanswered",
    reason: "auth: 401: no",
    usage: UNKNOWN_USAGE,
    calls: 1,
    isLasting: true,
  },
};

/** Asks as often as there are answers planned; what came back, and how often the judge was really asked. */
async function asked(...planned: readonly string[]) {
  let calls = 0;
  const judge: Judge = {
    name: "planned",
    model: "planned-1",
    ask: () => Promise.resolve(ANSWERS[planned[calls++] ?? ""] as Answer<never>),
  };
  const asking = untilRefused(judge);
  const reasons: string[] = [];
  for (const _ of planned) {
    const answer = await asking.ask(question(), NEVER);
    reasons.push(answer.status === "answered" ? "yes" : answer.reason);
  }
  return { reasons, calls };
}

describe("a judge whose key, account or model is refused", () => {
  it("is asked once, and the rest has that reason", async () => {
    const { reasons, calls } = await asked("refused", "yes", "yes");
    expect(calls).toBe(1);
    expect(reasons).toEqual(Array(3).fill("auth: 401: no; not asked again"));
  });

  it.each([
    ["it is only busy", ["busy", "busy", "yes"], 3],
    ["it takes offense at one question", ["yes", "refused", "yes", "refused", "yes"], 5],
    ["it refuses twice after an answer", ["yes", "refused", "refused", "yes"], 3],
  ])("is asked on where %s", async (_name, planned, times) => {
    expect((await asked(...planned)).calls).toBe(times);
  });
});
