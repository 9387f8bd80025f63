import type { Json, JsonObject } from "../../domain/json.ts";

/** Reading what a client sent without trusting its shape: a missing or odd value reads as empty. */
export function objectAt(value: Json | undefined, key?: string): JsonObject {
  const found = key === undefined ? value : objectAt(value)[key];
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as JsonObject) : {};
}

export function listAt(value: Json | undefined, key?: string): readonly Json[] {
  const found = key === undefined ? value : objectAt(value)[key];
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

export function textAt(value: Json | undefined, key?: string): string {
  const found = key === undefined ? value : objectAt(value)[key];
  return typeof found === "string" ? found : "";
}

/** The text of a content value: a string, or a list whose entries carry `text`. */
export function contentText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return listAt(value)
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== "")
    .join("\n");
}
