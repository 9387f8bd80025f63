import type { Usage } from "../domain/run.ts";
import type { MessagePart, ModelRequest, Stop } from "../wires/client.ts";

export type { MessagePart, ModelMessage, ModelRequest, ToolSpec } from "../wires/client.ts";

/** Speaks to one kind of model service. */
export interface Provider {
  readonly name: string;
  /** Its models can be shown images; absent: nobody knows. */
  readonly takesImages?: boolean;
  /** One call to the model, retries included. Rejects only when `signal` fires; what the service says is in the answer. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

export type ModelReply =
  | {
      readonly status: "answered";
      readonly parts: readonly MessagePart[];
      readonly stop: Stop;
      readonly model: string;
      readonly usage: Usage;
    }
  | {
      readonly status: "failed";
      readonly reason: ServiceFailure;
      readonly message: string;
      /** Null where no HTTP status said it, neither of the reply nor inside it. */
      readonly httpStatus: number | null;
      /** The key, the account or the model is refused, whatever is asked; absent: another request may do better. */
      readonly isLasting?: true;
      readonly usage: Usage;
    };

/** Why a service gave no answer; the same words as the outcomes a run is left out for. */
export type ServiceFailure = "auth" | "rate-limit" | "api" | "network" | "budget";
