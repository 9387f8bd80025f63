import type { IncomingHttpHeaders } from "node:http";
import type { Json, JsonObject } from "../domain/json.ts";

/** A dialect as a tape keeps it: what a request says, and how a reply is put together. */
export interface CassetteView {
  spoken(asked: AskedCall): Spoken;
  /** Where an event of a stream carries a part of some longer text; null for every other event. */
  part(event: Json): TextPart | null;
  /** Whether this is the event without which a stream was cut. */
  isFinal(event: Json): boolean;
  /** Tells a whole reply as a stream and a stream whole; null when it cannot. Without it, replies are served as recorded only. */
  readonly otherForm: ((reply: KeptReply) => KeptReply | null) | null;
}

/** A call with its body at hand. */
export interface AskedCall {
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly body: JsonObject;
}

/** A request in words that all dialects share. */
export interface Spoken {
  readonly thread: string;
  /** Ids of the session that turn up in paths and environments. */
  readonly sessionIds: readonly string[];
  readonly model: string;
  /** The form that the answer must have; null: free. */
  readonly form: JsonObject | null;
  readonly tools: readonly string[];
  /** What is said before anything else. */
  readonly system: string;
  readonly entries: readonly TapeEntry[];
}

/** The parts of the conversation, in order. */
export type TapeEntry =
  | { readonly kind: "user"; readonly text: string }
  /** The client speaks: system and developer messages. */
  | { readonly kind: "client"; readonly text: string }
  /** The model spoke here; `response` tells whether a new response begins with it. */
  | { readonly kind: "said"; readonly response: boolean }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly tool: string;
      readonly input: string;
      readonly response: boolean;
    }
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly text: string;
      /** Null where the dialect does not say. */
      readonly failed: boolean | null;
    };

/** A whole reply of a service, as a tape keeps it. */
export type KeptReply =
  | { readonly kind: "whole"; readonly status: number; readonly body: Json }
  | { readonly kind: "stream"; readonly status: number; readonly events: readonly ReplyEvent[] };

export interface ReplyEvent {
  /** Absent: what the data call their type. */
  readonly event?: string | null;
  /** A text where the event holds no JSON, as `[DONE]`. */
  readonly data: Json;
  /** The words of several events, joined here; so long were the pieces. */
  readonly cuts?: readonly number[];
}

export interface TextPart {
  /** From the event down to the text. */
  readonly path: readonly (string | number)[];
  /** The same for the parts of one text. */
  readonly key: string;
}
