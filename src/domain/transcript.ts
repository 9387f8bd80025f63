import type { Json } from "./json.ts";
import type { Activation, Usage } from "./run.ts";

/** One flat, JSON-safe list for every agent program. The raw stream is kept beside it, untouched. */
export type TranscriptEvent = TranscriptHead & TranscriptBody;

interface TranscriptHead {
  /** Position in the transcript, from 0; evidence cites it. */
  readonly index: number;
  /** Which user message of the case is being answered, from 1. */
  readonly turn: number;
  /** The sub-agent that speaks; null is the main agent. */
  readonly agent: string | null;
}

export type TranscriptBody =
  | { readonly kind: "message"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "tool-call"; readonly callId: string; readonly tool: string; readonly input: Json }
  | {
      readonly kind: "tool-result";
      readonly callId: string;
      readonly tool: string | null;
      readonly output: string;
      readonly isError: boolean;
      readonly denied: boolean;
    }
  | { readonly kind: "skill-activated"; readonly skill: string; readonly by: Activation["by"] }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "usage"; readonly usage: Usage };
