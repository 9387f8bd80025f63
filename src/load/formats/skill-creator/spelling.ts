import type { Json, JsonObject } from "../../../domain/json.ts";

/** Holds, among the extras, the choices an author made that the normalized case does not show. */
export const SPELLING_KEY = "_spelling";

/** The extras with the spelling, where there is one worth keeping. */
export function withSpelling(extras: JsonObject, spelling: JsonObject): JsonObject {
  return Object.keys(spelling).length === 0 ? extras : { ...extras, [SPELLING_KEY]: spelling };
}

export function spellingOf(extras: JsonObject): JsonObject {
  const spelling: Json | undefined = extras[SPELLING_KEY];
  return typeof spelling === "object" && spelling !== null && !Array.isArray(spelling)
    ? (spelling as JsonObject)
    : {};
}

/** How a field is called in the file: its own name unless the spelling says otherwise. */
export function nameOf(spelling: JsonObject, field: string): string {
  const name = spelling[field];
  return typeof name === "string" ? name : field;
}
