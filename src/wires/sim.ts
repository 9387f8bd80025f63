import type { IncomingHttpHeaders } from "node:http";
import type { Json, JsonObject } from "../domain/json.ts";
import type { WireAnswer } from "./answer.ts";
import type { Ask } from "./ask.ts";
import type { Route } from "./http.ts";

/** A dialect as a scripted model server speaks it: reads its requests, writes its answers. */
export interface SimView {
  read(body: JsonObject, request: SimRequest): Ask;
  /** A whole answer. */
  body(answer: WireAnswer): Json;
  /** The same answer as a stream; the first event announces it. */
  events(answer: WireAnswer, ask: Ask): readonly StreamEvent[];
  /** A failure told in the middle of a stream. */
  errorEvent(type: string, message: string): StreamEvent;
}

interface SimRequest {
  readonly route: Route;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

/** One server-sent event; a string is written as it is. */
export interface StreamEvent {
  readonly event: string | null;
  readonly data: Json;
}
