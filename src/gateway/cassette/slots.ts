import type { Json, JsonObject } from "../../domain/json.ts";
import type { TextPart } from "../../wires/cassette.ts";
import { type WireName, WIRES } from "../../wires/index.ts";

/** The words in an event that carries a part of some longer text. */
export interface Slot {
  /** The same for the parts of one text. */
  readonly key: string;
  readonly text: string;
}

/** Null for every other event. */
export function slotOf(wire: WireName, data: Json): Slot | null {
  const part = WIRES[wire].cassette.part(data);
  if (part === null) return null;
  const text = part.path.reduce<unknown>((value, key) => (value as Loose | null | undefined)?.[key], data);
  return typeof text === "string" ? { key: part.key, text } : null;
}

/** The same event with other words. */
export function withSlot(wire: WireName, data: Json, text: string): Json {
  const part = WIRES[wire].cassette.part(data);
  return part === null ? data : replaced(data, part.path, text);
}

type Loose = Readonly<Record<string | number, unknown>>;

function replaced(value: Json, path: TextPart["path"], text: string): Json {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((element: Json, index) => (index === key ? replaced(element, rest, text) : element));
  const fields = value as JsonObject;
  return { ...fields, [key]: replaced(fields[key] ?? null, rest, text) };
}
