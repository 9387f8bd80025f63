import type { AsJson, Json, JsonObject } from "../../domain/json.ts";
import { listAt, objectAt } from "../../lib/loose.ts";
import type { KeptReply } from "../../wires/cassette.ts";

/** Streams say the same words up to four times; on a tape they stand once, and a number stands for them elsewhere. */
export function foldTexts(reply: AsJson<KeptReply>): JsonObject {
  const seen = new Map<string, number>();
  walk(reply, (text) => {
    if (text.length >= WORTH_FOLDING) seen.set(text, (seen.get(text) ?? 0) + 1);
    return text;
  });
  const texts = [...seen].filter(([, count]) => count > 1).map(([text]) => text);
  if (texts.length === 0) return { reply: reply };
  const places = new Map(texts.map((text, index) => [text, `{{@SAME ${index}}}`]));
  return { texts, reply: walk(reply, (text) => places.get(text) ?? text) };
}

export function unfoldTexts(line: JsonObject): JsonObject {
  const texts = listAt(line, "texts");
  const reply = objectAt(line, "reply") as JsonObject;
  if (texts.length === 0) return reply;
  const unfolded = walk(reply, (text) => {
    const index = /^\{\{@SAME (\d+)\}\}$/.exec(text)?.[1];
    const found = index === undefined ? undefined : texts[Number(index)];
    return typeof found === "string" ? found : text;
  });
  return unfolded as JsonObject;
}

const WORTH_FOLDING = 48;

function walk(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((element: Json) => walk(element, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, change)]));
}
