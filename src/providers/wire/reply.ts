import type { Usage } from "../../domain/run.ts";
import { objectAt, textOrNull } from "../../lib/loose.ts";
import type { ServiceError } from "../failure.ts";
import type { MessagePart, ModelReply } from "../provider.ts";

export type Stop = Extract<ModelReply, { status: "answered" }>["stop"];

/** What a reply says in words all services share, or the error it tells under a status that says all is well. */
export type ReadReply =
  | {
      readonly kind: "answer";
      readonly parts: readonly MessagePart[];
      readonly stop: Stop;
      readonly model: string;
      readonly usage: Usage;
    }
  | ({ readonly kind: "error" } & ServiceError);

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
