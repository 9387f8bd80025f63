import { objectAt, textOrNull } from "../lib/loose.ts";
import type { ReadReply } from "./client.ts";

export function errorReply(error: unknown, otherwise: string): ReadReply {
  const told = objectAt(error);
  const number = typeof told["code"] === "number" ? String(told["code"]) : null;
  const code = number ?? textOrNull(told, "code") ?? textOrNull(told, "type") ?? "";
  return { kind: "error", code, message: textOrNull(told, "message") ?? otherwise };
}

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
