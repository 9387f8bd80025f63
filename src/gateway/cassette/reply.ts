import type { Json, JsonObject } from "../../domain/json.ts";
import { objectAt, textAt } from "../../lib/loose.ts";
import type { KeptReply, ReplyEvent } from "../../wires/cassette.ts";
import { EventStream } from "../../wires/event-stream.ts";
import { type WireName, WIRES } from "../../wires/index.ts";
import type { ModelCall } from "../call.ts";
import { respelled } from "./spelling.ts";
import { slotOf, withSlot } from "./slots.ts";

/** Null for what must not be served again: replies that were cut, that hold an error, or that are not JSON. */
export function readReply(
  wire: WireName,
  { status, contentType, text }: { status: number; contentType: string; text: string },
): KeptReply | null {
  if (!contentType.startsWith("text/event-stream")) {
    const body = parsed(text);
    return body === undefined ? null : { kind: "whole", status, body };
  }
  const stream = new EventStream();
  const sent = [...stream.push(text), ...stream.end()].map(({ event, data }) => {
    const value = parsed(data);
    if (value === undefined) return { event, data };
    return { ...(event === textAt(value, "type") ? {} : { event }), data: withoutEcho(value) };
  });
  if (sent.some(({ event, data }) => (event ?? textAt(data, "type")) === "error" || "error" in nonNull(data)))
    return null;
  if (!sent.some(({ data }) => WIRES[wire].cassette.isFinal(data))) return null;
  return { kind: "stream", status, events: joined(wire, sent) };
}

/** The same words in another spelling. */
export function respelledReply(reply: KeptReply, spell: (text: string) => string): KeptReply {
  return reply.kind === "whole"
    ? { ...reply, body: respelled(reply.body, spell) }
    : { ...reply, events: reply.events.map((event) => ({ ...event, data: respelled(event.data, spell) })) };
}

/** The reply as the call asks for it, streamed or whole; null when it cannot be told that way. */
export function inForm(
  reply: KeptReply,
  { wire, stream }: Pick<ModelCall, "wire" | "stream">,
): KeptReply | null {
  if ((reply.kind === "stream") === stream) return reply;
  return WIRES[wire].cassette.otherForm?.(reply) ?? null;
}

/** The bytes that a client gets. */
export function writeReply(wire: WireName, reply: KeptReply): { contentType: string; body: Buffer } {
  if (reply.kind === "whole") {
    return { contentType: "application/json", body: Buffer.from(JSON.stringify(reply.body)) };
  }
  const events = reply.events.flatMap((event) => cutUp(wire, event));
  const text = events.map(({ event, data }, index) => {
    const value = typeof data === "string" ? data : JSON.stringify(renumbered(data, index));
    const name = event === undefined ? textAt(data, "type") : event;
    return `${name === null ? "" : `event: ${name}\n`}data: ${value}\n\n`;
  });
  return { contentType: "text/event-stream; charset=utf-8", body: Buffer.from(text.join("")) };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** `error: null` stands in every good reply of Responses. */
function nonNull(data: Json): JsonObject {
  const fields = [...Object.entries(objectAt(data)), ...Object.entries(objectAt(data, "response"))];
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as JsonObject;
}

/** Services repeat the request in their reply, and pad events against eavesdroppers; nobody reads either. */
function withoutEcho(data: Json): Json {
  if (data === null || typeof data !== "object" || Array.isArray(data)) return data;
  const { obfuscation: _, ...event } = data as JsonObject;
  const response = objectAt(event, "response");
  if (Object.keys(response).length === 0) return event;
  const kept = Object.entries(response).filter(([key]) => !ECHOED.has(key));
  return { ...event, response: Object.fromEntries(kept) as JsonObject };
}

const ECHOED: ReadonlySet<string> = new Set([
  "instructions",
  "tools",
  "metadata",
  "prompt_cache_key",
  "safety_identifier",
  "user",
]);

/** Words that were cut into many events stand together, so that a path in them can be found. */
function joined(wire: WireName, events: readonly ReplyEvent[]): readonly ReplyEvent[] {
  const kept: { event?: string | null; data: Json; cuts?: number[] }[] = [];
  for (const { event, data } of events) {
    const slot = slotOf(wire, data);
    const last = kept.at(-1);
    const before = last === undefined ? null : slotOf(wire, last.data);
    if (last !== undefined && slot !== null && before?.key === slot.key) {
      (last.cuts ??= [before.text.length]).push(slot.text.length);
      last.data = withSlot(wire, last.data, before.text + slot.text);
    } else kept.push(event === undefined ? { data } : { event, data });
  }
  return kept;
}

/** In as many pieces as it came; no character is cut in two. */
function cutUp(wire: WireName, { data, cuts, ...name }: ReplyEvent): readonly ReplyEvent[] {
  const slot = cuts === undefined ? null : slotOf(wire, data);
  if (cuts === undefined || slot === null) return [{ ...name, data }];
  const recorded = cuts.reduce((sum, length) => sum + length, 0);
  const scale = recorded === 0 ? 0 : slot.text.length / recorded;
  let end = 0;
  let passed = 0;
  return cuts.map((length, index) => {
    const start = end;
    passed += length;
    end =
      index === cuts.length - 1 ? slot.text.length : wholeCharacter(slot.text, Math.round(passed * scale));
    return { ...name, data: withSlot(wire, data, slot.text.slice(start, end)) };
  });
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function renumbered(data: Json, index: number): Json {
  return "sequence_number" in objectAt(data) ? { ...(data as JsonObject), sequence_number: index } : data;
}
