import type { Json } from "../domain/json.ts";

/** The value as JSON gives it back: numbers too large for it, which a parser makes infinite, are null. */
export function storable(value: Json): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "object" || value === null || isStorable(value)) return value;
  return JSON.parse(JSON.stringify(value)) as Json;
}

function isStorable(value: Json): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value !== "object" || value === null || Object.values(value).every(isStorable);
}
