import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../domain/json.ts";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import { parseScript } from "../gateway/sim/read-script.ts";
import { startSim } from "../gateway/sim/server.ts";
import { EventStream } from "./event-stream.ts";
import { WIRE_NAMES, type WireName, WIRES } from "./index.ts";
import { laterMetered, NOTHING_METERED } from "./usage.ts";

const SCRIPT = `
  replies:
    - parts: [{thinking: "Let me think about the fox for a while."}, {text: "A quick brown fox, long enough for several pieces."}]
      usage: {input: 1000, output: 40, cacheRead: 300, cacheWrite: 50, reasoning: 7}
`;

const CALLS: Readonly<Record<WireName, (stream: boolean) => readonly [string, JsonObject]>> = {
  messages: (stream) => [
    "/v1/messages",
    { model: "m", stream, max_tokens: 9, messages: [{ role: "user", content: "hi" }] },
  ],
  responses: (stream) => ["/v1/responses", { model: "m", stream, input: "hi" }],
  chat: (stream) => [
    "/v1/chat/completions",
    {
      model: "m",
      stream,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: "hi" }],
    },
  ],
  gemini: (stream) => [
    `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  ],
};

/** What each dialect can tell apart. */
const TOLD: Readonly<Record<WireName, JsonObject>> = {
  messages: { inputTokens: 1000, cacheReadTokens: 300, cacheWriteTokens: 50, reasoningTokens: null },
  responses: { inputTokens: 1000, cacheReadTokens: 300, cacheWriteTokens: 50, reasoningTokens: 7 },
  chat: { inputTokens: 1050, cacheReadTokens: 300, cacheWriteTokens: null, reasoningTokens: 7 },
  gemini: { inputTokens: 1050, cacheReadTokens: 300, cacheWriteTokens: null, reasoningTokens: 7 },
};

describe.each(WIRE_NAMES)("tokens on the %s wire", (wire) => {
  it.each([false, true])("are the same in a reply and in a stream (%s)", async (stream) => {
    const sim = await startSim(parseScript(SCRIPT));
    onTestFinished(() => sim.close());
    const [path, body] = CALLS[wire](stream);
    const response = await fetch(`${sim.url}${path}`, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    const told = stream ? metered(wire, text) : WIRES[wire].http.meter(JSON.parse(text));
    expect(told).toEqual({ model: "m", usage: { ...UNKNOWN_USAGE, outputTokens: 47, ...TOLD[wire] } });
  });
});

it.each([
  ["messages", { usage: { input_tokens: 5 } }, { inputTokens: 5 }],
  ["chat", { usage: { prompt_tokens: 5, completion_tokens: 2 } }, { inputTokens: 5, outputTokens: 2 }],
  [
    "chat",
    { usage: { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 9 } } },
    { inputTokens: 0, outputTokens: 2, cacheReadTokens: 9 },
  ],
  ["gemini", { usageMetadata: { promptTokenCount: 4, toolUsePromptTokenCount: 3 } }, { inputTokens: 7 }],
] as const)("%s: what is not told is unknown: %j", (wire, body, usage) => {
  expect(WIRES[wire].http.meter(body)).toEqual({ model: null, usage: { ...UNKNOWN_USAGE, ...usage } });
});

it.each(WIRE_NAMES)("%s: odd bodies tell nothing", (wire) => {
  for (const body of [null, 7, "x", [], {}, { usage: null }, { usage: [] }, { message: 3, response: "x" }])
    expect(WIRES[wire].http.meter(body)).toEqual(NOTHING_METERED);
});

function metered(wire: WireName, stream: string) {
  const events = new EventStream();
  return [...events.push(stream), ...events.end()]
    .filter((event) => event.data !== "[DONE]")
    .map((event) => WIRES[wire].http.meter(JSON.parse(event.data)))
    .reduce(laterMetered, NOTHING_METERED);
}
