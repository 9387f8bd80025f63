import type { Json } from "../domain/json.ts";

/** A model's arguments for a tool come as text; what is not an object of JSON is handed on as it is for the tool to refuse. */
export function argumentsIn(text: string): Record<string, never> | string {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, never>)
      : text;
  } catch {
    return text;
  }
}

/** The other way round. */
export function argumentsText(input: Json): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}
