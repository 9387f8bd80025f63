import type { JsonObject } from "../../domain/json.ts";
import type { ModelCall } from "../call.ts";

/** A call with its body at hand. */
export interface Asked extends Pick<ModelCall, "wire" | "headers" | "model"> {
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
  readonly entries: readonly Entry[];
}

/** What stands in the conversation, in order. */
export type Entry =
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
