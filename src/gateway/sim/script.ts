import type { Json } from "../../domain/json.ts";
import type { AnswerStop } from "../../wires/answer.ts";
import type { WireName } from "../../wires/index.ts";
import type { ScriptedRemarks, ScriptedVerdict } from "./verdicts.ts";

/** What a scripted model says and when. The first rule that matches answers; without one, `replies` do, one after the other in each conversation. */
export interface SimScript {
  readonly rules: readonly ScriptRule[];
  readonly replies: readonly SimReply[];
}

export interface ScriptRule {
  /** As written, or `rule N`; the request log names it. */
  readonly name: string;
  /** Answers requests beside the conversation: those recognised by their wording, or by `when` where it is given. */
  readonly side: boolean;
  readonly when: When | null;
  /** `steps` are given one after the other while one user message is being answered; past the last the rule does not match. */
  readonly play:
    | { readonly kind: "reply"; readonly reply: SimReply }
    | { readonly kind: "steps"; readonly steps: readonly SimReply[] }
    | { readonly kind: "fault-only" };
  readonly fault: SimFault;
  /** How often the rule answers before it is spent; null means always. */
  readonly times: number | null;
  /** Whether `times` counts over the whole server or in each conversation. */
  readonly per: "server" | "conversation";
}

/** Every condition given must hold. */
export interface When {
  readonly turn: number | null;
  readonly step: number | null;
  readonly userText: TextTest | null;
  readonly system: TextTest | null;
  /** Any text of the request. */
  readonly anywhere: TextTest | null;
  readonly model: TextTest | null;
  readonly path: TextTest | null;
  readonly wire: WireName | null;
  /** A tool answered since the last model response: its alias or its real name. */
  readonly afterTool: string | null;
  readonly toolResult: TextTest | null;
  readonly toolFailed: boolean | null;
  readonly offersTool: string | null;
  readonly skillListed: string | null;
  readonly skillMissing: string | null;
  /** The client demands a JSON answer. */
  readonly structured: boolean | null;
  readonly subagent: boolean | null;
}

export interface TextTest {
  readonly contains: string | null;
  readonly not: string | null;
  readonly equals: string | null;
  readonly regex: RegExp | null;
}

/** One model response. */
export interface SimReply {
  readonly parts: readonly ReplyPart[];
  readonly usage: {
    readonly input: number | null;
    readonly output: number | null;
    readonly cacheRead: number | null;
    readonly cacheWrite: number | null;
    readonly reasoning: number | null;
  } | null;
  /** Null: `tool` after a tool call, `refusal` after a refusal, otherwise `end`. */
  readonly stop: AnswerStop | null;
}

export type ReplyPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "call"; readonly tool: string; readonly input: Json }
  /** A structured answer, in the way the request demands it. */
  | { readonly kind: "json"; readonly value: Json }
  /** The same to Assay's own question about criteria, found by their words. */
  | ({ readonly kind: "verdicts"; readonly verdicts: readonly ScriptedVerdict[] } & ScriptedRemarks);

/** How the answer reaches the client, or fails to. */
export interface SimFault {
  readonly delayMs: number;
  readonly chunkDelayMs: number;
  readonly effect:
    | { readonly kind: "none" }
    | {
        readonly kind: "status";
        readonly status: number;
        readonly message: string | null;
        readonly body: Json | null;
        readonly headers: Readonly<Record<string, string>>;
      }
    /** The connection is closed without a word. */
    | { readonly kind: "drop" }
    /** Nothing follows the first event; the connection stays open. */
    | { readonly kind: "stall" }
    /** The connection is closed after that many events. */
    | { readonly kind: "cut"; readonly afterEvents: number }
    /** What should be JSON is not. */
    | { readonly kind: "malformed" }
    /** A failure told in the stream, after the first event. */
    | { readonly kind: "error-event"; readonly type: string; readonly message: string };
}

export const NO_FAULT: SimFault = { delayMs: 0, chunkDelayMs: 0, effect: { kind: "none" } };
