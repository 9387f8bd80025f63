import type { Json, JsonObject } from "../domain/json.ts";
import type { Usage } from "../domain/run.ts";
import type { JsonSchema } from "../lib/shape/shape.ts";

/** A dialect as one who asks a model speaks it. */
export interface ClientView {
  body(request: ModelRequest): JsonObject;
  read(body: unknown, request: ModelRequest): ServiceReply;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string | null;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /**
   * The reply must be JSON of this schema: it is then the text of the answer, natively where the service can, by
   * instruction where not. Only the asker can say whether it really has that shape.
   */
  readonly schema: JsonSchema | null;
  readonly maxTokens: number;
}

export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly MessagePart[];
}

export type MessagePart =
  | { readonly kind: "text"; readonly text: string }
  /** `origin` is what the service wants back untouched in the next request; null: nothing. */
  | { readonly kind: "thinking"; readonly text: string; readonly origin: Json }
  | { readonly kind: "image"; readonly mediaType: string; readonly base64: string }
  | { readonly kind: "tool-call"; readonly callId: string; readonly tool: string; readonly input: Json }
  | {
      readonly kind: "tool-result";
      readonly callId: string;
      readonly output: string;
      readonly isError: boolean;
    };

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** What a reply says in words all services share, or the error it tells under a status that says all is well. */
export type ServiceReply =
  | {
      readonly kind: "answer";
      readonly parts: readonly MessagePart[];
      readonly stop: Stop;
      readonly model: string;
      readonly usage: Usage;
    }
  | ({ readonly kind: "error" } & ServiceError);

export type Stop = "end" | "tool-use" | "max-tokens" | "refusal" | "other";

/** What a service says about itself in a reply that is no answer. */
export interface ServiceError {
  readonly code: string;
  readonly message: string;
}
