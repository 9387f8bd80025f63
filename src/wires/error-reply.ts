import { objectAt, textOrNull } from "../lib/loose.ts";
import type { ServiceReply } from "./client.ts";

export function errorReply(error: unknown, otherwise: string): ServiceReply {
  const told = objectAt(error);
  const number = typeof told["code"] === "number" ? String(told["code"]) : null;
  const code = number ?? textOrNull(told, "code") ?? textOrNull(told, "type") ?? "";
  return { kind: "error", code, message: textOrNull(told, "message") ?? otherwise };
}
