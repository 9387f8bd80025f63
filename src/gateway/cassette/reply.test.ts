import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../domain/json.ts";
import type { KeptReply } from "../../wires/cassette.ts";
import { EventStream } from "../../wires/event-stream.ts";
import { WIRE_NAMES } from "../../wires/index.ts";
import { post, SAYS, simFor } from "../sim/test-client.ts";
import { foldTexts, unfoldTexts } from "./fold.ts";
import { inForm, readReply, respelledReply, writeReply } from "./reply.ts";

const SSE = "text/event-stream; charset=utf-8";

function eventsIn(text: string) {
  const stream = new EventStream();
  return [...stream.push(text), ...stream.end()].map(({ event, data }) => ({
    event,
    data: data === "[DONE]" ? data : (JSON.parse(data) as Json),
  }));
}

describe.each(WIRE_NAMES)("a stream of %s", (wire) => {
  const script = `
    replies:
      - - thinking: I shall look into /tmp/run-a/ws and think about it for a while.
        - text: "The quick brown fox lives in /tmp/run-a/ws/den, as everybody knows."
        - tool: run
          input: { command: "ls /tmp/run-a/ws/den && echo 'well, well'" }
  `;

  async function spoken(): Promise<string> {
    await using sim = await simFor(script);
    const [path, body] = SAYS[wire]("hi", true);
    return (await post(sim.url + path, body)).text;
  }

  it("comes out as it went in, event by event", async () => {
    const text = await spoken();
    const reply = readReply(wire, { status: 200, contentType: SSE, text });
    if (reply === null) throw new Error("not read");
    const { body, contentType } = writeReply(wire, reply);
    expect(contentType).toBe(SSE);
    expect(eventsIn(body.toString())).toEqual(eventsIn(text));
  });

  it("says a path that was cut over many events in another spelling", async () => {
    const text = await spoken();
    const reply = readReply(wire, { status: 200, contentType: SSE, text });
    if (reply === null) throw new Error("not read");
    const moved = respelledReply(reply, (said) =>
      said.replaceAll("/tmp/run-a/ws", "/somewhere/else/entirely"),
    );
    const written = writeReply(wire, moved).body.toString();
    expect(eventsIn(written)).toHaveLength(eventsIn(text).length);
    const again = readReply(wire, { status: 200, contentType: SSE, text: written });
    expect(JSON.stringify(again)).toContain("/somewhere/else/entirely/den, as everybody");
    expect(JSON.stringify(again)).not.toContain("/tmp/run-a");
  });

  it.each([1, 2, 5])("that was cut after %i events is not kept", async (count) => {
    const whole = (await spoken()).split("\n\n").slice(0, count);
    const text = `${whole.join("\n\n")}\n\n`;
    expect(readReply(wire, { status: 200, contentType: SSE, text })).toBeNull();
  });

  it("that holds an error is not kept", async () => {
    await using sim = await simFor("[{ reply: words, fault: { errorEvent: overloaded_error } }]");
    const [path, body] = SAYS[wire]("hi", true);
    const { text } = await post(sim.url + path, body);
    expect(readReply(wire, { status: 200, contentType: SSE, text })).toBeNull();
  });

  it("stands on a tape with each long text once", async () => {
    const reply = readReply(wire, { status: 200, contentType: SSE, text: await spoken() });
    if (reply === null) throw new Error("not read");
    const line = foldTexts(reply);
    expect(JSON.stringify(line).split("as everybody knows")).toHaveLength(2);
    expect(unfoldTexts(JSON.parse(JSON.stringify(line)))).toEqual(reply);
  });
});

it("what is not JSON is not kept", () => {
  const contentType = "application/json";
  expect(readReply("chat", { status: 200, contentType, text: "<html>" })).toBeNull();
  expect(readReply("chat", { status: 200, contentType, text: '{"a":1}' })).toEqual({
    kind: "whole",
    status: 200,
    body: { a: 1 },
  });
});

it("what services repeat of the request is left out", () => {
  const response = {
    id: "r",
    status: "completed",
    error: null,
    instructions: "long",
    tools: [{}],
    output: [],
  };
  const text = `event: response.completed\ndata: ${JSON.stringify({ type: "response.completed", response, obfuscation: "x" })}\n\n`;
  expect(readReply("responses", { status: 200, contentType: SSE, text })).toEqual({
    kind: "stream",
    status: 200,
    events: [
      {
        data: {
          type: "response.completed",
          response: { id: "r", status: "completed", error: null, output: [] },
        },
      },
    ],
  });
});

it("a text is cut into as many pieces as it came in, however long it has become, and no character is cut in two", () => {
  const delta = (text: string): string =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })}\n\n`;
  const end = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
  const words = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(words, fc.string({ unit: "grapheme", maxLength: 30 }), (pieces, added) => {
      const text = pieces.map(delta).join("") + end;
      const reply = readReply("messages", { status: 200, contentType: SSE, text });
      if (reply === null) throw new Error("not read");
      const longer = respelledReply(reply, (said) => (said === pieces.join("") ? added + said : said));
      const events = eventsIn(writeReply("messages", longer).body.toString());
      const said = events.slice(0, -1).map(({ data }) => (data as { delta: { text: string } }).delta.text);
      expect(said).toHaveLength(pieces.length);
      expect(said.join("")).toBe(added + pieces.join(""));
      for (const piece of said) expect(piece).not.toMatch(/\p{Surrogate}/u);
    }),
    { numRuns: 300 },
  );
});

describe("a reply of Messages", () => {
  const whole: KeptReply = {
    kind: "whole",
    status: 200,
    body: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "x",
      content: [
        { type: "thinking", thinking: "hm", signature: "c2ln" },
        { type: "text", text: "Hello" },
        { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 4 },
    },
  };

  it("is told in the form that is asked for, there and back", () => {
    const stream = inForm(whole, { wire: "messages", stream: true });
    expect(stream?.kind).toBe("stream");
    expect(stream === null ? null : inForm(stream, { wire: "messages", stream: false })).toEqual(whole);
    expect(inForm(whole, { wire: "messages", stream: false })).toBe(whole);
  });

  it("that is none cannot be told otherwise", () => {
    const failure: KeptReply = { kind: "whole", status: 200, body: { error: "x" } };
    expect(inForm(failure, { wire: "messages", stream: true })).toBeNull();
    const ping: KeptReply = { kind: "stream", status: 200, events: [{ data: { type: "ping" } }] };
    expect(inForm(ping, { wire: "messages", stream: false })).toBeNull();
  });
});

it.each(["responses", "chat", "gemini"] as const)("a reply of %s is only told as it was recorded", (wire) => {
  const whole: KeptReply = { kind: "whole", status: 200, body: {} };
  expect(inForm(whole, { wire, stream: false })).toBe(whole);
  expect(inForm(whole, { wire, stream: true })).toBeNull();
});
