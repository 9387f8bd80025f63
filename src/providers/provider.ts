import type { Json, JsonObject } from "../domain/json.ts";
import type { Usage } from "../domain/run.ts";
import type { JsonSchema } from "../lib/shape/shape.ts";

/** Speaks to one kind of model service. */
export interface Provider {
  readonly name: string;
  /** Its models can be shown images; absent: nobody knows. */
  readonly takesImages?: boolean;
  /** One call to the model, retries included. Rejects only when `signal` fires; what the service says is in the answer. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
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

export type ModelReply =
  | {
      readonly status: "answered";
      readonly parts: readonly MessagePart[];
      readonly stop: "end" | "tool-use" | "max-tokens" | "refusal" | "other";
      readonly model: string;
      readonly usage: Usage;
    }
  | {
      readonly status: "failed";
      readonly reason: ServiceFailure;
      readonly message: string;
      /** Null where no HTTP status said it, neither of the reply nor inside it. */
      readonly httpStatus: number | null;
      readonly usage: Usage;
    };

/** Why a service gave no answer; the same words as the outcomes a run is left out for. */
export type ServiceFailure = "auth" | "rate-limit" | "api" | "network" | "budget";
