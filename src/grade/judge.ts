import type { Usage } from "../domain/run.ts";
import type { Shape } from "../lib/shape/shape.ts";

/** Asks a model one question and gets a value of a known shape. */
export interface Judge {
  readonly name: string;
  /** The model that answers, as asked for. */
  readonly model: string;
  /** `cli`: a program on this machine is asked, and not a service; absent: a service. */
  readonly transport?: "api" | "cli";
  /** It may be shown images; absent: it may not. */
  readonly takesImages?: boolean;
  /** Retries what may help, once with the problem named; then says why there is no answer. Rejects only on abort. */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>>;
}

export interface Question<T> extends Wording {
  readonly reply: Shape<T>;
  /** A further look at a well-shaped reply: null accepts it, a sentence is fed back for one more try. */
  readonly objection: (value: T) => string | null;
}

/** What is put to the model, whatever the answer becomes. */
export interface Wording {
  /** Names the kind of question in logs, cache and bills: `criteria`, `extraction`, `comparison`… */
  readonly purpose: string;
  /** Changes whenever the wording does, so that cached answers to other wordings are not used. */
  readonly promptVersion: string;
  readonly system: string;
  /** What of `system` stays where a user replaces the instructions: what is untrusted, and how to reply. Absent: nothing. */
  readonly rules?: string;
  readonly parts: readonly QuestionPart[];
  readonly maxTokens: number;
  /** Which of several identical questions this is, from 0. */
  readonly repetition: number;
  /** Words in it that chance chose: what is asked is the same whichever they are. Absent: none. */
  readonly chance?: readonly string[];
}

export type QuestionPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mediaType: string; readonly base64: string };

export type Answer<T> =
  | {
      readonly status: "answered";
      readonly value: T;
      readonly usage: Usage;
      readonly cached: boolean;
      readonly calls: number;
    }
  | {
      readonly status: "unanswered";
      readonly reason: string;
      readonly usage: Usage;
      readonly calls: number;
      /** The key, the account or the model is refused, so that no other question would be answered; absent: one may. */
      readonly isLasting?: true;
    };
