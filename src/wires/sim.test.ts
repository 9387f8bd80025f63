import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../domain/json.ts";
import type { WireAnswer, AnswerPart } from "./answer.ts";
import { WIRE_NAMES, type WireName, WIRES } from "./index.ts";
import { listAt, objectAt, textAt } from "./loose.ts";
import { askOf } from "../gateway/sim/test-client.ts";
import type { StreamEvent } from "./sim.ts";

const words = fc.string({ unit: "binary", maxLength: 300, size: "max" });
const part: fc.Arbitrary<AnswerPart> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: words }),
  fc.record({ kind: fc.constant("thinking" as const), text: words }),
  fc.record({
    kind: fc.constant("call" as const),
    id: fc.uuid(),
    name: fc.constantFrom("Bash", "Write"),
    input: fc.dictionary(fc.string(), words),
    custom: fc.constant(false),
  }),
);
const answers: fc.Arbitrary<WireAnswer> = fc.record({
  id: fc.constant("1"),
  model: fc.constant("m"),
  parts: fc.array(part, { minLength: 1, maxLength: 5 }),
  stop: fc.constantFrom("end", "tool", "length"),
  tokens: fc.record({
    input: fc.nat(),
    output: fc.nat(),
    cacheRead: fc.nat(),
    cacheWrite: fc.nat(),
    reasoning: fc.nat(),
  }),
  createdAt: fc.nat(),
});

/** Puts a stream together again as a client does. */
const ASSEMBLE: Readonly<Record<WireName, (events: readonly Json[]) => Json>> = {
  messages: assembleMessages,
  responses: assembleResponses,
  chat: assembleChat,
  gemini: assembleGemini,
};

describe.each(WIRE_NAMES)("%s", (name) => {
  const assemble = ASSEMBLE[name];
  const { http, sim } = WIRES[name];

  it("streams exactly what it would have said in one piece", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const events = sim.events(answer, askOf()).map((event) => event.data);
        expect(plain(assemble(events))).toEqual(plain(sim.body(answer)));
      }),
    );
  });

  it("never cuts a surrogate pair", () => {
    const answer = simple([{ kind: "text", text: "😀".repeat(200) }]);
    for (const event of sim.events(answer, askOf())) {
      expect(JSON.stringify(event.data)).not.toMatch(/\\ud[89ab]/i);
    }
  });

  it("names its events by their type, where it names them", () => {
    const sent = [
      ...sim.events(simple([{ kind: "text", text: "x" }]), askOf()),
      sim.errorEvent("busy", "now"),
    ];
    const named = sent.filter((event) => event.event !== null);
    expect(typesOf(named)).toEqual(named.map((event) => event.event));
  });

  it("refuses with a body of its own kind", () => {
    expect(JSON.stringify(http.errorBody(429, "slow down"))).toContain("slow down");
    expect(JSON.stringify(http.errorBody(499, "odd"))).toContain("odd");
  });
});

describe("usage", () => {
  const tokens = { input: 10, output: 20, cacheRead: 300, cacheWrite: 40, reasoning: 5 };
  const answer = { ...simple([{ kind: "text", text: "x" }]), tokens };

  it("tells cache tokens apart as each service does", () => {
    expect(objectAt(WIRES.messages.sim.body(answer), "usage")).toEqual({
      input_tokens: 10,
      output_tokens: 25,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 40,
    });
    expect(objectAt(WIRES.responses.sim.body(answer), "usage")).toMatchObject({
      input_tokens: 350,
      output_tokens: 25,
      input_tokens_details: { cached_tokens: 300, cache_write_tokens: 40 },
      output_tokens_details: { reasoning_tokens: 5 },
    });
    expect(objectAt(WIRES.chat.sim.body(answer), "usage")).toMatchObject({
      prompt_tokens: 350,
      completion_tokens: 25,
    });
    expect(objectAt(WIRES.gemini.sim.body(answer), "usageMetadata")).toMatchObject({
      promptTokenCount: 350,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 5,
    });
  });

  it("is only streamed on chat when the client asks for it", () => {
    const withUsage = (streamUsage: boolean): boolean =>
      WIRES.chat.sim.events(answer, askOf({ streamUsage })).some((event) => "usage" in objectAt(event.data));
    expect([withUsage(true), withUsage(false)]).toEqual([true, false]);
  });
});

describe("a refusal", () => {
  const answer: WireAnswer = { ...simple([{ kind: "refusal", text: "no" }]), stop: "refusal" };

  it("is told in each service's way", () => {
    expect(WIRES.messages.sim.body(answer)).toMatchObject({ stop_reason: "refusal" });
    expect(WIRES.responses.sim.body(answer)).toMatchObject({
      output: [{ content: [{ type: "refusal", refusal: "no" }] }],
    });
    expect(WIRES.chat.sim.body(answer)).toMatchObject({
      choices: [{ message: { content: null, refusal: "no" }, finish_reason: "content_filter" }],
    });
    expect(WIRES.gemini.sim.body(answer)).toMatchObject({ candidates: [{ finishReason: "SAFETY" }] });
  });

  it("streams", () => {
    expect(typesOf(WIRES.responses.sim.events(answer, askOf()))).toContain("response.refusal.delta");
  });
});

it("streams a custom tool's input as free text", () => {
  const call: AnswerPart = {
    kind: "call",
    id: "7",
    name: "apply_patch",
    input: "*** Begin Patch",
    custom: true,
  };
  const events = WIRES.responses.sim.events(simple([call]), askOf());
  expect(typesOf(events)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.custom_tool_call_input.delta",
    "response.custom_tool_call_input.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(objectAt(events[5]?.data, "item")).toMatchObject({
    type: "custom_tool_call",
    call_id: "call_7",
    input: "*** Begin Patch",
  });
});

/** Chat and Gemini cannot tell an empty text from none, and Gemini has no borders between texts. */
function plain(body: Json): Json {
  const choice = objectAt(listAt(body, "choices")[0]);
  if ("message" in choice) {
    const message = Object.entries(objectAt(choice, "message")).filter(
      ([, value]) => value !== "" && value !== null,
    );
    return { ...objectAt(body), choices: [{ ...choice, message: Object.fromEntries(message) }] };
  }
  const candidate = objectAt(listAt(body, "candidates")[0]);
  if (!("content" in candidate)) return body;
  const joined: Record<string, Json>[] = [];
  for (const found of listAt(objectAt(candidate, "content"), "parts")) {
    const piece = objectAt(found);
    const before = joined.at(-1);
    if (piece["text"] === "") continue;
    if (
      before !== undefined &&
      "text" in piece &&
      "text" in before &&
      before["thought"] === piece["thought"]
    ) {
      before["text"] = `${textAt(before, "text")}${textAt(piece, "text")}`;
    } else joined.push({ ...piece });
  }
  return { ...objectAt(body), candidates: [{ ...candidate, content: { role: "model", parts: joined } }] };
}

function simple(parts: readonly AnswerPart[]): WireAnswer {
  return {
    id: "1",
    model: "m",
    parts,
    stop: "end",
    tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    createdAt: 0,
  };
}

function typesOf(events: readonly StreamEvent[]): readonly string[] {
  return events.map((event) => textAt(event.data, "type"));
}

function assembleMessages(events: readonly Json[]): Json {
  let message: Record<string, Json> = {};
  const content: Record<string, Json>[] = [];
  for (const event of events.map((data) => objectAt(data))) {
    const index = Number(event["index"]);
    const delta = objectAt(event, "delta");
    if (event["type"] === "message_start") message = { ...objectAt(event, "message") };
    else if (event["type"] === "content_block_start") {
      expect(index).toBe(content.length);
      content.push({ ...objectAt(event, "content_block"), partial: "" });
    } else if (event["type"] === "content_block_delta") {
      const block = content[index]!;
      for (const key of ["text", "thinking", "signature"]) {
        if (key in delta) block[key] = `${textAt(block, key)}${textAt(delta, key)}`;
      }
      block["partial"] = `${textAt(block, "partial")}${textAt(delta, "partial_json")}`;
    } else if (event["type"] === "content_block_stop") {
      const { partial, ...block } = content[index]!;
      content[index] =
        block["type"] === "tool_use" ? { ...block, input: JSON.parse(textAt(partial)) as Json } : block;
    } else if (event["type"] === "message_delta") {
      message = { ...message, ...delta, usage: event["usage"] ?? null };
    }
  }
  return { ...message, content };
}

function assembleResponses(events: readonly Json[]): Json {
  const sent = events.map((data) => objectAt(data));
  expect(sent.map((event) => event["sequence_number"])).toEqual(sent.map((_, index) => index));
  const final = objectAt(sent.at(-1), "response");
  const done = sent
    .filter((event) => event["type"] === "response.output_item.done")
    .map((event) => event["item"]);
  expect(done).toEqual(final["output"]);
  for (const [index, output] of listAt(final, "output").entries()) {
    const deltas = sent.filter((event) => event["output_index"] === index && "delta" in event);
    const joined = deltas.map((event) => textAt(event, "delta")).join("");
    const [first] = [...listAt(output, "content"), ...listAt(output, "summary")];
    expect(joined).toBe(first === undefined ? textAt(output, "arguments") : textAt(first, "text"));
  }
  return final;
}

function assembleChat(events: readonly Json[]): Json {
  const chunks = events.filter((data) => data !== "[DONE]").map((data) => objectAt(data));
  expect(events.at(-1)).toBe("[DONE]");
  const said: Record<string, string> = {};
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
  let finish: Json = null;
  for (const choice of chunks.flatMap((chunk) => listAt(chunk, "choices"))) {
    const delta = objectAt(choice, "delta");
    for (const key of ["content", "reasoning_content", "refusal"]) {
      if (textAt(delta, key) !== "") said[key] = `${said[key] ?? ""}${textAt(delta, key)}`;
    }
    for (const call of listAt(delta, "tool_calls")) {
      const fn = objectAt(call, "function");
      const index = Number(objectAt(call)["index"]);
      calls[index] ??= {
        id: textAt(call, "id"),
        type: "function",
        function: { name: textAt(fn, "name"), arguments: "" },
      };
      calls[index].function.arguments += textAt(fn, "arguments");
    }
    finish = objectAt(choice)["finish_reason"] ?? finish;
  }
  const { choices: _choices, ...head } = chunks[0]!;
  const usage = chunks.at(-1)!["usage"] ?? null;
  const message = {
    role: "assistant",
    content: said["content"] ?? null,
    refusal: null,
    ...said,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
  };
}

function assembleGemini(events: readonly Json[]): Json {
  const parts: JsonObject[] = [];
  for (const piece of events.flatMap((data) =>
    listAt(objectAt(listAt(data, "candidates")[0], "content"), "parts"),
  )) {
    parts.push(objectAt(piece));
  }
  const last = objectAt(events.at(-1));
  const candidate = objectAt(listAt(last, "candidates")[0]);
  return { ...last, candidates: [{ ...candidate, content: { role: "model", parts } }] };
}
