import type { Json } from "../domain/json.ts";

/** A model response ready to be written in any wire format: templates filled, tools named as the client names them. */
export interface WireAnswer {
  /** Unique in the conversation; wires put their own prefix before it. */
  readonly id: string;
  readonly model: string;
  readonly parts: readonly AnswerPart[];
  readonly stop: AnswerStop;
  readonly tokens: Tokens;
  /** Seconds since 1970. */
  readonly createdAt: number;
}

export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "refusal"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      readonly input: Json;
      /** Free text instead of JSON; `input` is then a string. */
      readonly custom: boolean;
    };

export const STOPS = ["end", "tool", "length", "refusal"] as const;
export type AnswerStop = (typeof STOPS)[number];

/** `input` does not include what was read from or written to the cache. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** Text in pieces as a model streams it; no piece ends inside a surrogate pair. */
export function pieces(text: string): readonly string[] {
  const size = Math.max(24, Math.ceil(text.length / 64));
  const cut: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + size);
    const unit = text.charCodeAt(end - 1);
    if (unit >= 0xd800 && unit <= 0xdbff && end < text.length) end++;
    cut.push(text.slice(start, end));
    start = end;
  }
  return cut;
}
