import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import type { ReplyPart, ScriptRule } from "../../gateway/sim/script.ts";
import { NO_FAULT } from "../../gateway/sim/script.ts";
import { type Sim, startSim } from "../../gateway/sim/server.ts";
import { connect, PROVIDER_NAMES, type ProviderName } from "../../providers/connect.ts";
import { judgeContract, question, type ScriptedReply } from "../judge.contract.ts";
import { apiJudge } from "./api.ts";

const NEVER = new AbortController().signal;

for (const name of PROVIDER_NAMES) {
  judgeContract(`api over ${name}`, async (replies) => {
    const sim = await serve(replies);
    return {
      judge: judgeAt(sim, name),
      heard: () => sim.requests.map(({ body }) => told(body as JsonObject)),
    };
  });
}

describe("over a service", () => {
  it.each(PROVIDER_NAMES)("%s gives its structured answer natively", async (name) => {
    const value = { verdicts: [1, 2].map((index) => ({ index, evidence: "e", passed: true, score: 1 })) };
    const sim = await serve([{ kind: "json", value }]);
    expect(await judgeAt(sim, name).ask(question(), NEVER)).toMatchObject({ status: "answered", calls: 1 });
    expect(JSON.stringify(sim.requests[0]?.body)).toMatch(/tool_choice|json_schema/);
  });

  it("gives twice the room after a reply that was cut off", async () => {
    const sim = await serve([
      { says: "{", stop: "cut" },
      { says: "{", stop: "cut" },
    ]);
    await judgeAt(sim, "anthropic").ask(question(), NEVER);
    expect(sim.requests.map(({ body }) => (body as JsonObject)["max_tokens"])).toEqual([1000, 2000]);
  });

  it("shows the model its own reply with the problem", async () => {
    const sim = await serve([{ says: '{"verdicts": []}' }, { says: "" }]);
    await judgeAt(sim, "anthropic").ask(question(), NEVER);
    const { messages } = sim.requests[1]!.body as unknown as {
      messages: { role: string; content: { text: string }[] }[];
    };
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.content[0]?.text).toBe('{"verdicts": []}');
  });

  it("shows images", async () => {
    const sim = await serve([{ says: "" }, { says: "" }]);
    const image = { kind: "image", mediaType: "image/png", base64: "aGk=" } as const;
    await judgeAt(sim, "anthropic").ask(question({ parts: [image] }), NEVER);
    expect(JSON.stringify(sim.requests[0]?.body)).toContain('"data":"aGk="');
  });
});

function judgeAt(sim: Sim, name: ProviderName) {
  const patience = { sleep: async () => {} };
  return apiJudge({ provider: connect(name, { baseUrl: sim.url, key: "k", patience }), model: "m-1" });
}

async function serve(replies: readonly (ScriptedReply | ReplyPart)[]): Promise<Sim> {
  const sim = await startSim({ rules: replies.map(toRule), replies: [] });
  onTestFinished(() => sim.close());
  return sim;
}

function toRule(reply: ScriptedReply | ReplyPart, index: number): ScriptRule {
  const rule = {
    name: `${index}`,
    side: false,
    when: null,
    times: 1,
    per: "server",
    fault: NO_FAULT,
  } as const;
  if ("fails" in reply) {
    const effect = { kind: "status", status: 402, message: reply.fails, body: null, headers: {} } as const;
    return { ...rule, play: { kind: "fault-only" }, fault: { ...NO_FAULT, effect } };
  }
  const refused = "says" in reply && reply.stop === "refused";
  const part: ReplyPart = "says" in reply ? { kind: refused ? "refusal" : "text", text: reply.says } : reply;
  const stop = "says" in reply && reply.stop === "cut" ? "length" : null;
  return { ...rule, play: { kind: "reply", reply: { parts: [part], usage: null, stop } } };
}

/** All strings of a request, unescaped. */
function told(body: unknown): string {
  if (typeof body === "string") return body;
  if (typeof body !== "object" || body === null) return "";
  return Object.values(body).map(told).join("\n");
}
