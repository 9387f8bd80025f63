import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../domain/json.ts";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import { UserError } from "../domain/user-error.ts";
import { parseScript } from "../gateway/sim/read-script.ts";
import { type Sim, startSim } from "../gateway/sim/server.ts";
import { connect, PROVIDER_NAMES, type ProviderName } from "./connect.ts";
import type { ModelRequest, Provider } from "./provider.ts";
import type { ServiceOptions } from "./service.ts";

const NEVER = new AbortController().signal;

const ASK: ModelRequest = {
  model: "m-1",
  system: "Be brief.",
  messages: [{ role: "user", parts: [{ kind: "text", text: "What is it?" }] }],
  tools: [],
  schema: null,
  maxTokens: 500,
};

const VERDICT = {
  type: "object",
  properties: { passed: { type: "boolean" } },
  required: ["passed"],
} as const;

async function serve(script: string): Promise<Sim> {
  const sim = await startSim(parseScript(script));
  onTestFinished(() => sim.close());
  return sim;
}

/** Waits are noted instead of waited for. */
function provider(
  name: ProviderName,
  sim: { url: string },
  options: Partial<ServiceOptions> = {},
): Provider & { waits: number[] } {
  const waits: number[] = [];
  const made = connect(name, {
    baseUrl: sim.url,
    key: "sk-secret",
    ...options,
    patience: {
      random: () => 1,
      sleep: async (ms) => void waits.push(ms),
      ...options.patience,
    },
  });
  return { ...made, waits };
}

function sent(sim: Sim, index = 0): JsonObject {
  return sim.requests[index]?.body as JsonObject;
}

describe.each(PROVIDER_NAMES)("%s", (name) => {
  it("answers with text, the model's name and every kind of token", async () => {
    const sim = await serve(`
      replies:
        - parts: [{thinking: "Let me see."}, {text: "A fox."}]
          usage: {input: 100, output: 20, cacheRead: 30, cacheWrite: 0, reasoning: 5}
    `);
    const reply = await provider(name, sim, { priceOf: () => 0.25 }).complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "answered", stop: "end", model: "m-1" });
    expect(reply.status === "answered" && reply.parts.at(-1)).toEqual({ kind: "text", text: "A fox." });
    expect(reply.usage).toMatchObject({
      inputTokens: 100,
      outputTokens: 25,
      cacheReadTokens: 30,
      reasoningTokens: name === "anthropic" ? null : 5,
      costUsd: 0.25,
    });
    expect(sim.requests[0]?.seen).toMatchObject({ model: "m-1", userText: "What is it?", stream: false });
    expect(JSON.stringify(sent(sim))).toContain("Be brief.");
  });

  it("does not make up a cost", async () => {
    const sim = await serve("replies: [hello]");
    expect((await provider(name, sim).complete(ASK, NEVER)).usage.costUsd).toBeNull();
  });

  it("carries tool calls and their results", async () => {
    const sim = await serve(`
      replies:
        - [{text: "I look."}, {tool: look, input: {at: "a/b", deep: {n: 2}}}]
        - "Done: {{toolResult}}"
    `);
    const agent = provider(name, sim);
    const tools = [{ name: "look", description: "Looks.", input: { type: "object", properties: {} } }];
    const first = await agent.complete({ ...ASK, tools }, NEVER);
    expect(first).toMatchObject({ status: "answered", stop: "tool-use" });
    const parts = first.status === "answered" ? first.parts : [];
    const call = parts.find((part) => part.kind === "tool-call");
    expect(call).toMatchObject({ tool: "look", input: { at: "a/b", deep: { n: 2 } } });
    const callId = call?.kind === "tool-call" ? call.callId : "";
    const second = await agent.complete(
      {
        ...ASK,
        tools,
        messages: [
          ...ASK.messages,
          { role: "assistant", parts },
          { role: "user", parts: [{ kind: "tool-result", callId, output: "seen", isError: false }] },
        ],
      },
      NEVER,
    );
    expect(second).toMatchObject({ status: "answered", parts: [{ kind: "text", text: "Done: seen" }] });
    expect(sim.requests[1]?.seen).toMatchObject({ turn: 1, step: 2, tools: ["look"] });
  });

  it("gives back what it was told while thinking where the service wants it", async () => {
    const sim = await serve(`replies: [[{thinking: "Hm."}, {text: "A."}], "B."]`);
    const agent = provider(name, sim);
    const first = await agent.complete(ASK, NEVER);
    const parts = first.status === "answered" ? first.parts : [];
    expect(parts[0]).toMatchObject({ kind: "thinking", text: "Hm." });
    const again = [...ASK.messages, { role: "assistant" as const, parts }, ...ASK.messages];
    expect(await agent.complete({ ...ASK, messages: again }, NEVER)).toMatchObject({ status: "answered" });
    expect(JSON.stringify(sent(sim, 1)).includes('"signature"')).toBe(name === "anthropic");
  });

  it.each([
    ["an object", VERDICT, { passed: true }],
    ["a list, which travels wrapped", { type: "array", items: VERDICT }, [{ passed: true }]],
  ])("gives a structured answer as JSON text: %s", async (_, schema, value) => {
    const wrapped = Array.isArray(value) ? { reply: value } : value;
    const sim = await serve(`[{when: {structured: true}, reply: {json: ${JSON.stringify(wrapped)}}}]`);
    const reply = await provider(name, sim).complete({ ...ASK, schema }, NEVER);
    expect(reply).toMatchObject({ status: "answered", stop: "end" });
    const text = reply.status === "answered" && reply.parts[0]?.kind === "text" ? reply.parts[0].text : "";
    expect(JSON.parse(text)).toEqual(value);
  });

  it("shows images", async () => {
    const sim = await serve("replies: [A cat.]");
    const parts = [
      { kind: "image" as const, mediaType: "image/png", base64: "aGk=" },
      ...ASK.messages[0]!.parts,
    ];
    await provider(name, sim).complete({ ...ASK, messages: [{ role: "user", parts }] }, NEVER);
    const shown = {
      anthropic: '"source":{"type":"base64","media_type":"image/png","data":"aGk="}',
      openai: '{"type":"input_image","image_url":"data:image/png;base64,aGk="}',
      "openai-compatible": '{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}',
    };
    expect(JSON.stringify(sent(sim))).toContain(shown[name]);
  });

  it("tells that the answer is not whole", async () => {
    const sim = await serve(`replies: [{parts: ["Half of"], stop: length}]`);
    const reply = await provider(name, sim).complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "answered", stop: "max-tokens", parts: [{ text: "Half of" }] });
  });

  it("tells a refusal, and what it says", async () => {
    const sim = await serve(`replies: [{refusal: "I will not."}]`);
    expect(await provider(name, sim).complete(ASK, NEVER)).toMatchObject({
      stop: "refusal",
      parts: [{ text: "I will not." }],
    });
  });

  it.each([
    ["401", "{status: 401, message: bad key sk-secret}", "auth"],
    ["403", "{status: 403}", "auth"],
    ["400", "{status: 400, message: prompt is too long}", "api"],
    ["404", "{status: 404, message: no such model}", "api"],
    ["413", "{status: 413}", "api"],
    ["402", "{status: 402}", "budget"],
    ["400 credit", "{status: 400, message: Your credit balance is too low}", "budget"],
    ["400 spend", "{status: 400, message: You have reached your monthly spend limit}", "budget"],
    [
      "429 spend",
      "{status: 429, body: {error: {type: rate_limit_error, message: enforced_spend_limit_reached}}}",
      "budget",
    ],
    [
      "429 spend in details",
      "{status: 429, body: {error: {type: rate_limit_error, message: limit, details: {error_code: enforced_spend_limit_reached}}}}",
      "budget",
    ],
    ["429 quota", "{status: 429, body: {error: {code: insufficient_quota, message: no more}}}", "budget"],
    ["x-should-retry", '{status: 529, headers: {x-should-retry: "false"}}', "api"],
    ["not JSON", "{status: 400, body: just words}", "api"],
  ])("asks once and gives up: %s", async (_, fault, reason) => {
    const sim = await serve(`[{fault: ${fault}}]`);
    const asked = provider(name, sim);
    const reply = await asked.complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "failed", reason, usage: UNKNOWN_USAGE });
    expect(reply.status === "failed" && reply.message).not.toContain("sk-secret");
    expect(sim.requests).toHaveLength(1);
    expect(asked.waits).toEqual([]);
  });

  it.each([
    ["429 with retry-after", "{status: 429, retryAfter: 7.5}", [7500, 7500]],
    ["503 with retry-after", "{status: 503, retryAfter: 3}", [3000, 3000]],
    ["429 without", "{status: 429}", [1000, 2000]],
    ["529", "{status: 529}", [1000, 2000]],
    ["500", "{status: 500}", [1000, 2000]],
    ["a dropped connection", "{drop: true}", [1000, 2000]],
    ["half a reply", "{cutAfter: 1}", [1000, 2000]],
    ["no reply at all", "{cutAfter: 0}", [1000, 2000]],
    ["broken JSON", "{malformed: true}", [1000, 2000]],
  ])("tries again after %s", async (_, fault, waits) => {
    const sim = await serve(`[{fault: ${fault}, times: 2}, {reply: At last.}]`);
    const asked = provider(name, sim);
    expect(await asked.complete(ASK, NEVER)).toMatchObject({ parts: [{ text: "At last." }] });
    expect(asked.waits).toEqual(waits);
    expect(sim.requests).toHaveLength(3);
  });

  it.each([
    ["{status: 429}", "rate-limit", 6],
    ["{status: 529}", "api", 6],
    ["{drop: true}", "network", 3],
  ])("gives up in the end: %s", async (fault, reason, requests) => {
    const sim = await serve(`[{fault: ${fault}}]`);
    const reply = await provider(name, sim).complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "failed", reason });
    expect(sim.requests).toHaveLength(requests);
  });

  it("does not wait longer than its deadline", async () => {
    const sim = await serve("[{fault: {status: 429, retryAfter: 3600}}]");
    const reply = await provider(name, sim).complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "failed", reason: "rate-limit" });
    expect(reply.status === "failed" && reply.message).toMatch(/3600 s, which is too late/);
    expect(sim.requests).toHaveLength(1);
  });

  it("ends a call that hangs at its deadline", async () => {
    const sim = await serve("[{fault: {stall: true}}]");
    const reply = await provider(name, sim, { patience: { deadlineMs: 150 } }).complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "failed", reason: "network", message: "no answer within 0.15 s" });
  });

  it("rejects when the caller has enough, waiting or not", async () => {
    const sim = await serve("[{fault: {stall: true}}]");
    const calling = new AbortController();
    const call = provider(name, sim).complete(ASK, calling.signal);
    setTimeout(() => calling.abort(), 50);
    await expect(call).rejects.toThrow(/abort/i);
    const waiting = new AbortController();
    const busy = await serve("[{fault: {status: 429, retryAfter: 60}}]");
    const sleep = async (_: number, signal: AbortSignal) => {
      waiting.abort();
      signal.throwIfAborted();
    };
    const slept = provider(name, busy, { patience: { sleep } }).complete(ASK, waiting.signal);
    await expect(slept).rejects.toThrow(/abort/i);
  });

  it("says where nobody listens", async () => {
    const reply = await provider(name, { url: "http://127.0.0.1:1" }).complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "failed", reason: "network" });
    expect(reply.status === "failed" && reply.message).toMatch(/127\.0\.0\.1:1.*ECONNREFUSED/);
  });

  it.each(["localhost:11434", "", "ftp://x", "not a url"])("refuses the address %j", (baseUrl) => {
    expect(() => connect(name, { baseUrl, key: null })).toThrow(UserError);
  });

  it.each([
    ["<html>proxy login</html>", "api", 1, /did not answer in JSON: <html>/],
    ['{"hello": 1}', "api", 1, /the reply is not one of/],
    ['{"id": "x", "choi', "network", 3, /cut off/],
    ["", "network", 3, /cut off/],
  ])("tells a service from something else: %j", async (text, reason, requests, message) => {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume();
      count++;
      response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reply = await provider(name, { url }).complete(ASK, NEVER);
    expect(reply).toMatchObject({ status: "failed", reason });
    expect(reply.status === "failed" && reply.message).toMatch(message);
    expect(count).toBe(requests);
  });
});

it.each([
  ["anthropic", "https://host", "/v1/messages"],
  ["anthropic", "https://host/v1/", "/v1/messages"],
  ["openai", "https://host/v1", "/v1/responses"],
  ["openai", "https://host/trial/7", "/trial/7/v1/responses"],
  ["openai-compatible", "https://host", "/v1/chat/completions"],
  ["openai-compatible", "https://host/v1beta/openai/", "/v1beta/openai/chat/completions"],
] as const)("%s at %s is asked at %s", async (name, base, path) => {
  const sim = await serve("replies: [hello]");
  await connect(name, { baseUrl: base.replace("https://host", sim.url), key: null }).complete(ASK, NEVER);
  expect(sim.requests[0]?.path).toBe(path);
  expect(Object.values(sim.requests[0]?.headers ?? {})).not.toContain("[hidden]");
});

it("caches the beginning of a conversation with tools only", async () => {
  const sim = await serve("replies: [hello]");
  const tools = [{ name: "look", description: "", input: {} }];
  await provider("anthropic", sim).complete(ASK, NEVER);
  await provider("anthropic", sim).complete({ ...ASK, tools }, NEVER);
  const marks = (index: number) => JSON.stringify(sent(sim, index)).split("cache_control").length - 1;
  expect([marks(0), marks(1)]).toEqual([0, 2]);
});

describe("an OpenAI-compatible server", () => {
  const ask = { ...ASK, schema: VERDICT };

  it.each(["{status: 400, message: unknown field response_format}", "{status: 422}", "{status: 501}"])(
    "that refuses the schema is asked in words, and only the first time both ways: %s",
    async (fault) => {
      const sim = await serve(`[{when: {structured: true}, fault: ${fault}}, {reply: '{"passed": true}'}]`);
      const asked = provider("openai-compatible", sim);
      for (const _ of [1, 2]) {
        expect(await asked.complete(ask, NEVER)).toMatchObject({ parts: [{ text: '{"passed": true}' }] });
      }
      expect(sim.requests.map((request) => "response_format" in (request.body as JsonObject))).toEqual([
        true,
        false,
        false,
      ]);
      expect(JSON.stringify(sent(sim, 1))).toContain("JSON Schema");
    },
  );

  it("that takes the schema is not asked again without it", async () => {
    const sim = await serve(
      `[{reply: '{"passed": true}', times: 1}, {fault: {status: 400, message: too long}}]`,
    );
    const asked = provider("openai-compatible", sim);
    await asked.complete(ask, NEVER);
    expect(await asked.complete(ask, NEVER)).toMatchObject({ status: "failed", httpStatus: 400 });
    expect(sim.requests).toHaveLength(2);
  });

  it("needs no key, ids or counts", async () => {
    const server = createServer((request, response) => {
      request.resume();
      const call = { function: { name: "look", arguments: { at: "x" } } };
      response.end(JSON.stringify({ choices: [{ message: { tool_calls: [call] }, finish_reason: "stop" }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await connect("openai-compatible", { baseUrl, key: null }).complete(ASK, NEVER)).toEqual({
      status: "answered",
      parts: [{ kind: "tool-call", callId: "call_0", tool: "look", input: { at: "x" } }],
      stop: "tool-use",
      model: "m-1",
      usage: UNKNOWN_USAGE,
    });
  });
});
