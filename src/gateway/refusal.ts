import type { ServerResponse } from "node:http";
import type { WireName } from "../providers/wire/wire.ts";
import { errorBody } from "./error-body.ts";

/**
 * The status that makes clients of a dialect give up at once. Any other is tried again by some of them: Claude Code asks
 * six times after a 400 and twice after a 404, Codex tries everything but a 400 again.
 */
export function finalStatus(wire: WireName): number {
  return wire === "messages" ? 410 : 400;
}

/** Tells a client why it gets no answer, in the words of its dialect. Nothing happens once an answer has begun. */
export function refuse(
  response: ServerResponse,
  {
    wire,
    status,
    message,
    final = false,
  }: { wire: WireName; status: number; message: string; final?: boolean },
): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(JSON.stringify(errorBody(wire, status, `assay gateway: ${message}`)));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    ...(final ? { "x-should-retry": "false" } : {}),
  });
  response.end(body);
}
