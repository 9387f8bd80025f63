import { describe, expect, it } from "vitest";
import type { Json } from "../../domain/json.ts";
import { readReply, writeReply } from "./reply.ts";
import { slotOf } from "./slots.ts";

describe("the words of an event", () => {
  it.each<[string, Json]>([
    ["a tool call without a function", { tool_calls: [{ index: 0 }] }],
    ["a tool call with a null function", { tool_calls: [{ index: 0, function: null }] }],
    ["a tool call without arguments", { tool_calls: [{ index: 0, function: {} }] }],
    ["a tool call that is null", { tool_calls: [null] }],
    ["content that is no text", { content: 3 }],
  ])("are none in a chat event with %s", (_name, delta) => {
    expect(slotOf("chat", { choices: [{ delta }] })).toBeNull();
  });

  it("are the arguments of a chat event's only tool call", () => {
    const delta = { tool_calls: [{ index: 0, function: { arguments: '{"a' } }] };
    expect(slotOf("chat", { choices: [{ delta }] })?.text).toBe('{"a');
  });
});

it("a chat stream with an event that says nothing is kept and comes out as it went in", () => {
  const deltas = [
    { content: "Look" },
    { tool_calls: [{ index: 0, id: "c", function: { name: "ls", arguments: "" } }] },
    { tool_calls: [{ index: 0 }] },
    { tool_calls: [{ index: 0, function: { arguments: "{}" } }] },
  ];
  const events = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  ];
  const text = [...events.map((event) => JSON.stringify(event)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
  const reply = readReply("chat", { status: 200, contentType: "text/event-stream", text });
  if (reply === null) throw new Error("not read");
  expect(writeReply("chat", reply).body.toString()).toBe(text);
});
