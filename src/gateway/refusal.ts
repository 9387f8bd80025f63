import type { ServerResponse } from "node:http";
import { GATEWAY_SAYS, REASON_HEADER } from "../providers/gateway-words.ts";
import type { ServiceFailure } from "../providers/provider.ts";
import { type WireName, WIRES } from "../wires/index.ts";

/** The status that makes clients of a dialect give up at once. */
export function finalStatus(wire: WireName): number {
  return WIRES[wire].http.finalStatus;
}

/** Tells a client why it gets no answer, in the words of its dialect. Nothing happens once an answer has begun. */
export function refuse(
  response: ServerResponse,
  {
    wire,
    status,
    message,
    final = false,
    reason = null,
  }: {
    wire: WireName;
    status: number;
    message: string;
    final?: boolean;
    /** What the service behind meant, where the status says something else for the client's sake. */
    reason?: ServiceFailure | null;
  },
): void {
  if (response.headersSent || response.destroyed) return;
  const told = WIRES[wire].http.errorBody(status, `${GATEWAY_SAYS}${message}`);
  const body = Buffer.from(JSON.stringify(told));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    ...(final ? { "x-should-retry": "false" } : {}),
    ...(reason === null ? {} : { [REASON_HEADER]: reason }),
  });
  response.end(body);
}
