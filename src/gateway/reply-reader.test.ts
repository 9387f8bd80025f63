import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replyReader } from "./reply-reader.ts";

const STREAMS = {
  messages: [
    [
      "message_start",
      {
        type: "message_start",
        message: { model: "m", usage: { input_tokens: 30, cache_read_input_tokens: 4, output_tokens: 1 } },
      },
    ],
    ["content_block_delta", { type: "content_block_delta", delta: { text: 'he said "usage: error" ☂' } }],
    ["message_delta", { type: "message_delta", usage: { output_tokens: 9 } }],
  ],
  responses: [
    ["response.created", { type: "response.created", response: { model: "m", usage: null } }],
    ["response.output_text.delta", { type: "response.output_text.delta", delta: "☂" }],
    [
      "response.completed",
      {
        type: "response.completed",
        response: {
          model: "m",
          usage: { input_tokens: 34, input_tokens_details: { cached_tokens: 4 }, output_tokens: 9 },
        },
      },
    ],
  ],
  chat: [
    [null, { model: "m", choices: [{ delta: { content: "☂" } }], usage: null }],
    [
      null,
      {
        model: "m",
        choices: [],
        usage: { prompt_tokens: 34, prompt_tokens_details: { cached_tokens: 4 }, completion_tokens: 9 },
      },
    ],
  ],
  gemini: [
    [
      null,
      {
        modelVersion: "m",
        candidates: [{}],
        usageMetadata: { promptTokenCount: 34, cachedContentTokenCount: 4 },
      },
    ],
    [
      null,
      {
        modelVersion: "m",
        candidates: [{}],
        usageMetadata: { promptTokenCount: 34, cachedContentTokenCount: 4, candidatesTokenCount: 9 },
      },
    ],
  ],
} as const;

const WIRES = ["messages", "responses", "chat", "gemini"] as const;

function textOf(wire: (typeof WIRES)[number], newline: string): Buffer {
  const events = STREAMS[wire].map(([event, data]) => {
    const name = event === null ? "" : `event: ${event}${newline}`;
    return `${name}data: ${JSON.stringify(data)}${newline}${newline}`;
  });
  return Buffer.from(`: comment${newline}${events.join("")}`);
}

describe.each(WIRES)("a stream over %s", (wire) => {
  it.each(["\n", "\r\n"])("is read the same, however it is cut (%j)", (newline) => {
    const whole = textOf(wire, newline);
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 30 }), (cuts) => {
        const reader = replyReader(wire, "text/event-stream; charset=utf-8");
        const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
        for (const [index, end] of places.entries()) reader.push(whole.subarray(places[index - 1] ?? 0, end));
        const { metered, error, bytes } = reader.read();
        expect(metered).toMatchObject({
          model: "m",
          usage: { inputTokens: 30, cacheReadTokens: 4, outputTokens: 9 },
        });
        expect(error).toBeNull();
        expect(bytes).toBe(whole.length);
      }),
    );
  });

  it("begins to speak with its first words", () => {
    const reader = replyReader(wire, "text/event-stream");
    expect(reader.speaking).toBe(false);
    reader.push(textOf(wire, "\n"));
    expect(reader.speaking).toBe(true);
  });
});

describe("an error in a stream", () => {
  it.each([
    ["messages", { type: "error", error: { type: "overloaded_error", message: "busy" } }, "overloaded_error"],
    [
      "responses",
      { type: "response.failed", response: { error: { code: "server_error", message: "busy" } } },
      "server_error",
    ],
    ["chat", { error: { type: "rate_limit", message: "busy" } }, "rate_limit"],
    ["gemini", { error: { code: 503, status: "UNAVAILABLE", message: "busy" } }, "UNAVAILABLE"],
  ] as const)("is seen over %s", (wire, event, code) => {
    const reader = replyReader(wire, "text/event-stream");
    reader.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    expect(reader.read().error).toEqual({ code, message: "busy" });
  });
});

describe("a whole reply", () => {
  it.each([
    [
      "an object",
      '{"model":"m","usage":{"input_tokens":3,"output_tokens":4}}',
      { inputTokens: 3, outputTokens: 4 },
    ],
    ["no JSON", "<html>", null],
    ["nothing", "", null],
    ["JSON without tokens", '{"content":[]}', null],
  ])("that is %s", (_name, text, usage) => {
    const reader = replyReader("messages", "application/json");
    for (const byte of Buffer.from(text)) reader.push(Buffer.from([byte]));
    const read = reader.read().metered.usage;
    expect(read === null ? null : { inputTokens: read.inputTokens, outputTokens: read.outputTokens }).toEqual(
      usage,
    );
  });

  it("may be Gemini's list of replies", () => {
    const reader = replyReader("gemini", "application/json");
    reader.push(Buffer.from(JSON.stringify(STREAMS.gemini.map(([, data]) => data))));
    expect(reader.read().metered.usage).toMatchObject({ inputTokens: 30, outputTokens: 9 });
  });
});
