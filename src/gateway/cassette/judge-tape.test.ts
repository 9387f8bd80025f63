import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { apiJudge } from "../../grade/judges/api.ts";
import type { Question } from "../../grade/judge.ts";
import { object, required } from "../../lib/shape/object.ts";
import { text } from "../../lib/shape/values.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { connect, PROVIDER_NAMES, type ProviderName } from "../../providers/connect.ts";
import { startGateway } from "../gateway.ts";
import { simFor } from "../sim/test-client.ts";
import { REAL_KEY, upstreamAt } from "../test-gateway.ts";
import { type TapeOptions, NO_SERVICE, openCassettes } from "./cassettes.ts";

const SCRIPT = `
rules:
  - when: { anywhere: cats }
    reply: { json: { verdict: about cats } }
  - { when: { anywhere: dogs }, reply: { json: { verdict: first of dogs } }, times: 1 }
  - when: { anywhere: dogs }
    reply: { json: { verdict: second of dogs } }
`;

type Verdict = { readonly verdict: string };

function question(words: string, changes: Partial<Question<Verdict>> = {}): Question<Verdict> {
  return {
    purpose: "criteria",
    promptVersion: "1",
    system: "You judge.",
    parts: [{ kind: "text", text: words }],
    maxTokens: 100,
    repetition: 0,
    reply: object({ verdict: required(text()) }),
    objection: () => null,
    ...changes,
  };
}

/** Asks over a gateway whose one service is there, or nowhere. */
async function ask(
  folder: string,
  questions: readonly Question<Verdict>[],
  how: { mode: TapeOptions["mode"]; service: string | null; provider?: ProviderName },
) {
  const { mode, service, provider = "anthropic" } = how;
  const { judges } = openCassettes({ folder, mode, mask: secretMask([REAL_KEY]), now: () => new Date() });
  await using gateway = await startGateway({
    upstreams: [service === null ? NO_SERVICE : upstreamAt(service)],
  });
  const { endpoint } = gateway.open({ trial: "judges", tape: judges });
  const baseUrl = `${endpoint.baseUrl}${provider === "anthropic" ? "" : "/v1"}`;
  const model = connect(provider, {
    baseUrl,
    key: endpoint.token,
    priceOf: () => null,
    patience: { sleep: async () => {} },
  });
  const judge = apiJudge({ provider: model, model: "m" });
  const answers = [];
  for (const one of questions) {
    const answer = await judge.ask(one, new AbortController().signal);
    answers.push(answer.status === "answered" ? answer.value.verdict : answer.reason);
  }
  await judges.settled();
  return { answers, misses: judges.misses };
}

async function folderFor(): Promise<string> {
  const tree = await tempTree();
  onTestFinished(() => tree[Symbol.asyncDispose]());
  return tree.root;
}

const ASKED = [question("cats?"), question("dogs?"), question("dogs?", { repetition: 1 })];
const ANSWERED = ["about cats", "first of dogs", "second of dogs"];

describe.each(PROVIDER_NAMES)("a judge over %s", (provider) => {
  it("gets the same answers again, one by one, without a service", async () => {
    const folder = await folderFor();
    await using sim = await simFor(SCRIPT);
    const first = await ask(folder, ASKED, { mode: "record", service: sim.url, provider });
    expect(first).toEqual({ answers: ANSWERED, misses: [] });
    expect(readdirSync(join(folder, "judges"))).toHaveLength(2);
    const again = await ask(folder, ASKED, { mode: "replay", service: null, provider });
    expect(again).toEqual(first);
    const more = await ask(folder, [...ASKED, ...ASKED], { mode: "replay", service: null, provider });
    expect(more.answers).toEqual([...ANSWERED, "about cats", "second of dogs", "second of dogs"]);
  });
});

it.each<[string, Question<Verdict>]>([
  ["other evidence", question("cats!")],
  ["other instructions", question("cats?", { system: "You judge well." })],
  [
    "another form of the answer",
    question("cats?", { reply: object({ verdict: required(text()), more: required(text()) }) }),
  ],
])("a question with %s has no recorded answer, and is told", async (_, other) => {
  const folder = await folderFor();
  await using sim = await simFor(SCRIPT);
  await ask(folder, ASKED, { mode: "record", service: sim.url });
  const { answers, misses } = await ask(folder, [other], { mode: "replay", service: null });
  expect(answers[0]).toContain("replay miss: no answer was recorded to this question");
  expect(misses).toHaveLength(1);
});

it("auto asks only what is new", async () => {
  const folder = await folderFor();
  await using sim = await simFor(SCRIPT);
  await ask(folder, ASKED.slice(0, 2), { mode: "auto", service: sim.url });
  expect(sim.requests).toHaveLength(2);
  const { answers } = await ask(folder, ASKED, { mode: "auto", service: sim.url });
  expect(answers).toEqual(ANSWERED);
  expect(sim.requests).toHaveLength(3);
  expect((await ask(folder, ASKED, { mode: "replay", service: null })).answers).toEqual(ANSWERED);
});

it("recording again replaces the answers", async () => {
  const folder = await folderFor();
  for (const word of ["old", "new"]) {
    await using sim = await simFor(`[{ reply: { json: { verdict: ${word} } } }]`);
    await ask(folder, [question("cats?")], { mode: "record", service: sim.url });
  }
  expect((await ask(folder, [question("cats?")], { mode: "replay", service: null })).answers).toEqual([
    "new",
  ]);
  const [name = ""] = readdirSync(join(folder, "judges"));
  const [header = "", ...replies] = readFileSync(join(folder, "judges", name), "utf8")
    .trimEnd()
    .split("\n");
  expect(JSON.parse(header)).toEqual({ cassette: 1, judge: "m", question: '"cats?"' });
  expect(replies).toHaveLength(1);
});
