import type { Json, JsonObject } from "../../domain/json.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import type { KeptReply, ReplyEvent } from "../cassette.ts";

/**
 * A stream told whole, or the other way round: Claude Code asks again without streaming when a stream was cut, and then
 * only that answer is on the tape. Null when it cannot be told.
 */
export function otherForm(reply: KeptReply): KeptReply | null {
  return reply.kind === "whole" ? streamed(reply) : whole(reply);
}

function streamed({ status, body }: KeptReply & { kind: "whole" }): KeptReply | null {
  const content = listAt(body, "content");
  if (textAt(body, "type") !== "message") return null;
  const start = { ...(body as JsonObject), content: [], stop_reason: null };
  const end = {
    stop_reason: objectAt(body)["stop_reason"] as Json,
    stop_sequence: (objectAt(body)["stop_sequence"] ?? null) as Json,
  };
  const events: readonly JsonObject[] = [
    { type: "message_start", message: start },
    ...content.flatMap(blockEvents),
    { type: "message_delta", delta: end, usage: objectAt(body, "usage") as JsonObject },
    { type: "message_stop" },
  ];
  return { kind: "stream", status, events: events.map((data) => ({ data })) };
}

function blockEvents(block: unknown, index: number): readonly JsonObject[] {
  const content_block = objectAt(block) as JsonObject;
  const events = (empty: JsonObject, ...deltas: readonly JsonObject[]): readonly JsonObject[] => [
    { type: "content_block_start", index, content_block: { ...content_block, ...empty } },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  switch (textAt(block, "type")) {
    case "text":
      return events({ text: "" }, { type: "text_delta", text: textAt(block, "text") });
    case "thinking":
      return events(
        { thinking: "", signature: "" },
        { type: "thinking_delta", thinking: textAt(block, "thinking") },
        { type: "signature_delta", signature: textAt(block, "signature") },
      );
    case "tool_use": {
      const partial_json = JSON.stringify(content_block["input"] ?? {});
      return events({ input: {} }, { type: "input_json_delta", partial_json });
    }
    default:
      return events({});
  }
}

function whole({ status, events }: KeptReply & { kind: "stream" }): KeptReply | null {
  const data = events.map((event) => event.data);
  const message = objectAt(
    data.find((one) => textAt(one, "type") === "message_start"),
    "message",
  );
  const end = data.find((one) => textAt(one, "type") === "message_delta");
  if (Object.keys(message).length === 0 || end === undefined) return null;
  const starts = data.filter((one) => textAt(one, "type") === "content_block_start");
  const content = starts.map((start) => wholeBlock(start, events));
  const usage = { ...objectAt(message, "usage"), ...objectAt(end, "usage") } as JsonObject;
  return {
    kind: "whole",
    status,
    body: { ...message, ...objectAt(end, "delta"), content, usage } as JsonObject,
  };
}

function wholeBlock(start: Json, events: readonly ReplyEvent[]): JsonObject {
  const { index, content_block: block } = objectAt(start);
  const deltas = events
    .filter(({ data }) => textAt(data, "type") === "content_block_delta" && objectAt(data)["index"] === index)
    .map(({ data }) => objectAt(data, "delta"));
  const said = (name: string): string => deltas.map((delta) => textAt(delta, name)).join("");
  const empty = objectAt(block) as JsonObject;
  switch (textAt(empty, "type")) {
    case "text":
      return { ...empty, text: said("text") };
    case "thinking":
      return { ...empty, thinking: said("thinking"), signature: said("signature") };
    case "tool_use":
      return { ...empty, input: inputOf(said("partial_json")) };
    default:
      return empty;
  }
}

function inputOf(json: string): Json {
  try {
    return JSON.parse(json === "" ? "{}" : json) as Json;
  } catch {
    return {};
  }
}
