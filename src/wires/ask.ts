/** What a model request says, in words all wire formats share. */
export interface Ask {
  readonly model: string;
  readonly stream: boolean;
  /** The client's own id of the conversation; null where it sends none. */
  readonly conversation: string | null;
  /** A helper agent that the client started, as far as the wire shows it. */
  readonly subagent: boolean;
  /** Everything said as system or developer. */
  readonly system: string;
  /** The conversation in order, without what `system` holds. */
  readonly entries: readonly AskEntry[];
  readonly tools: readonly OfferedTool[];
  /** How a JSON answer must be given. */
  readonly structured: Structured;
  /** Whether a stream is to tell its token counts. */
  readonly streamUsage: boolean;
  /** Size of the body, for made-up token counts. */
  readonly bytes: number;
}

export type AskEntry =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: string }
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly text: string;
      readonly isError: boolean;
    };

export interface OfferedTool {
  readonly name: string;
  /** Takes free text instead of JSON (OpenAI's custom tools). */
  readonly custom: boolean;
  readonly description: string;
  /** The fields of its input; absent: the request does not say. */
  readonly takes?: readonly string[];
}

export type Structured =
  | { readonly via: "none" }
  | { readonly via: "text" }
  | { readonly via: "tool"; readonly tool: string };
