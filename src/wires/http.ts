import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../domain/json.ts";
import type { Loose } from "../lib/loose.ts";
import type { Metered } from "./usage.ts";

/** A dialect as seen from outside the conversation: addresses, limits, token counts, refusals. */
export interface HttpView {
  /** What a path asks for; null when the path is not of this dialect. Anything may come before it. */
  route(path: string): Route | null;
  /** Whether a request on some other path has the marks of this dialect. */
  marks(headers: IncomingHttpHeaders, path: string): boolean;
  /** Where the client writes none. */
  readonly version: string;
  /** When a base address holds the version already: as soon as it has a path, or only with a version at its end. */
  readonly versionedBy: "any-path" | "version-at-end";
  /** The most that the model may write, where the request says so. */
  maxOutputTokens(body: Loose): number | null;
  /** The texts of a request in which the client itself speaks, never the user's words or a tool's result. */
  clientTexts(body: Loose): readonly string[];
  /** Reads a whole reply or a single event of a stream. */
  meter(body: unknown): Metered;
  /** Part of the first event that carries a word, and of none before it. */
  readonly firstWord: string;
  /** An error in the dialect's words, so that clients show its message. */
  errorBody(status: number, message: string): JsonObject;
  /**
   * The status that makes clients give up at once. Any other is tried again by some of them: Claude Code asks six times
   * after a 400 and twice after a 404, Codex tries everything but a 400 again.
   */
  readonly finalStatus: number;
  countBody(tokens: number): JsonObject;
  /** An empty list of models. */
  readonly noModels: JsonObject;
}

export interface Route {
  readonly operation: "answer" | "count";
  /** Where the service offers it: `messages`, `models/m:generateContent`; behind the version. */
  readonly resource: string;
  /** Where the path says it and not the body. */
  readonly model: string | null;
  readonly stream: boolean | null;
}
