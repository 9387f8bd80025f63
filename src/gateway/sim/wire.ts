import type { IncomingHttpHeaders } from "node:http";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { Answer } from "./answer.ts";
import type { WireName } from "../../providers/wire/wire.ts";
import type { Ask } from "./ask.ts";

/** One HTTP dialect of model services: reads its requests, writes its answers. */
export interface Wire {
  readonly name: WireName;
  /** What a path asks for; null when the path is not of this dialect. Anything may stand before it. */
  route(path: string): Route | null;
  read(body: JsonObject, request: WireRequest): Ask;
  /** A whole answer. */
  body(answer: Answer): Json;
  /** The same answer as a stream; the first event announces it. */
  events(answer: Answer, ask: Ask): readonly StreamEvent[];
  errorBody(status: number, message: string): Json;
  /** A failure told in the middle of a stream. */
  errorEvent(type: string, message: string): StreamEvent;
  countBody(tokens: number): Json;
}

export interface Route {
  readonly operation: "answer" | "count";
  /** Where the path says it and not the body. */
  readonly model: string | null;
  readonly stream: boolean | null;
}

interface WireRequest {
  readonly route: Route;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

/** One server-sent event; a string is written as it is. */
export interface StreamEvent {
  readonly event: string | null;
  readonly data: Json;
}

export function header(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}
