import type { Json, JsonObject } from "../../domain/json.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import type { WireName } from "../../providers/wire/wire.ts";

/** The words in an event that carries a part of some longer text. */
export interface Slot {
  /** The same for the parts of one text. */
  readonly key: string;
  readonly text: string;
}

/** Null for every other event. */
export function slotOf(wire: WireName, data: Json): Slot | null {
  const path = pathOf(wire, data);
  if (path === null) return null;
  const text = path.reduce<unknown>((value, key) => (value as Loose)[key], data);
  return typeof text === "string" ? { key: keyOf(wire, data, path), text } : null;
}

/** The same event with other words. */
export function withSlot(wire: WireName, data: Json, text: string): Json {
  const path = pathOf(wire, data);
  return path === null ? data : replaced(data, path, text);
}

/** The event without which a stream was cut. */
export function isFinalEvent(wire: WireName, data: Json): boolean {
  switch (wire) {
    case "messages":
      return textAt(data, "type") === "message_stop";
    case "responses":
      return /^response\.(?:completed|incomplete)$/.test(textAt(data, "type"));
    case "chat":
      return (
        data === "[DONE]" || listAt(data, "choices").some((choice) => textAt(choice, "finish_reason") !== "")
      );
    case "gemini":
      return listAt(data, "candidates").some((candidate) => textAt(candidate, "finishReason") !== "");
  }
}

type Path = readonly (string | number)[];
type Loose = Readonly<Record<string | number, unknown>>;

function pathOf(wire: WireName, data: Json): Path | null {
  switch (wire) {
    case "messages": {
      const name = DELTA_TEXT[textAt(objectAt(data, "delta"), "type")];
      return textAt(data, "type") === "content_block_delta" && name !== undefined ? ["delta", name] : null;
    }
    case "responses":
      return textAt(data, "type").endsWith(".delta") && typeof objectAt(data)["delta"] === "string"
        ? ["delta"]
        : null;
    case "chat":
      return chatPath(data);
    case "gemini":
      return geminiPath(data);
  }
}

const DELTA_TEXT: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  input_json_delta: "partial_json",
};

/** Only events that say nothing else, such as the name of a tool. */
function chatPath(data: Json): Path | null {
  const choices = listAt(data, "choices");
  const delta = objectAt(choices[0], "delta");
  if (choices.length !== 1 || textAt(choices[0], "finish_reason") !== "" || objectAt(data)["usage"])
    return null;
  const said = Object.keys(delta).filter((key) => key !== "role" && delta[key] !== null);
  const [name = ""] = said;
  if (said.length !== 1) return null;
  if (/^(?:content|reasoning_content|reasoning)$/.test(name)) return ["choices", 0, "delta", name];
  const calls = listAt(delta, "tool_calls");
  const only = name === "tool_calls" && calls.length === 1 && textAt(calls[0], "id") === "";
  return only ? ["choices", 0, "delta", "tool_calls", 0, "function", "arguments"] : null;
}

function geminiPath(data: Json): Path | null {
  const [candidate, ...others] = listAt(data, "candidates");
  const [part, ...more] = listAt(objectAt(candidate, "content"), "parts");
  if (others.length > 0 || more.length > 0 || textAt(candidate, "finishReason") !== "") return null;
  return typeof objectAt(part)["text"] === "string" ? ["candidates", 0, "content", "parts", 0, "text"] : null;
}

function keyOf(wire: WireName, data: Json, path: Path): string {
  const fields = objectAt(data);
  if (wire === "messages") return `${String(fields["index"])} ${path.join(".")}`;
  if (wire === "chat") {
    const [call] = listAt(objectAt(listAt(data, "choices")[0], "delta"), "tool_calls");
    return `${path.join(".")} ${String(objectAt(call)["index"])}`;
  }
  if (wire === "gemini") {
    const [candidate] = listAt(data, "candidates");
    const [part] = listAt(objectAt(candidate, "content"), "parts");
    return String(objectAt(part)["thought"] === true);
  }
  const parts = ["type", "item_id", "output_index", "content_index", "summary_index"];
  return parts.map((name) => String(fields[name])).join(" ");
}

function replaced(value: Json, path: Path, text: string): Json {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((element: Json, index) => (index === key ? replaced(element, rest, text) : element));
  const fields = value as JsonObject;
  return { ...fields, [key]: replaced(fields[key] ?? null, rest, text) };
}
