import type { Json } from "../domain/json.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import type { Harness } from "./harness.ts";
import type { Places } from "./sandbox.ts";

/** What a client says that the model said. */
export interface Claims {
  hear(event: TranscriptEvent): void;
  /**
   * The first of them that no model said, in words; null: there is none, or it cannot be told. `said` has all texts that came
   * from models, null where that is not known; there may be more than the client tells of.
   */
  unfounded(said: readonly string[] | null): string | null;
}

/** Null where the harness does not quote the model. */
export function openClaims(quotes: Harness["quotesModel"], places: Places): Claims | null {
  if (quotes === undefined) return null;
  const claims: Claim[] = [];
  let chars = 0;
  return {
    hear(event) {
      const claim = claimOf(event);
      if (claim === null || chars > MOST_CHARS) return;
      chars += claim.texts.reduce((sum, text) => sum + text.length, 0);
      claims.push(claim);
    },
    unfounded(said) {
      if (said === null || claims.length === 0) return null;
      const exact = new Set(said);
      const all = said.map(letters).join(" ");
      const isSaid = (text: string): boolean =>
        [text, withoutPlaces(text, places), withoutShell(text)].some((form) => all.includes(letters(form))) ||
        (/\n/u.test(text) && text.split("\n").every(isSaid));
      const isProgram = FREE_TOOLS.some((name) => exact.has(name));
      for (const { call, texts } of claims) {
        if (call !== null && quotes.callIds && !(exact.has(call.id) && exact.has(call.tool)))
          return `the client's output has a call of ${call.tool} (${call.id}) that no model made`;
        if (call !== null && !quotes.callIds && (call.tool !== "shell" || isProgram)) continue;
        const unsaid = texts.find((text) => !isSaid(text));
        if (unsaid !== undefined)
          return `the client's output has ${call === null ? "an answer" : `a call of ${call.tool}`} that no model gave: ${quoted(unsaid)}`;
      }
      return null;
    },
  };
}

interface Claim {
  /** Null: an answer. */
  readonly call: { readonly id: string; readonly tool: string } | null;
  readonly texts: readonly string[];
}

function claimOf(event: TranscriptEvent): Claim | null {
  if (event.kind === "message" && event.role === "assistant") return { call: null, texts: [event.text] };
  if (event.kind !== "tool-call") return null;
  return { call: { id: event.callId, tool: event.tool }, texts: leavesOf(event.input) };
}

function leavesOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value as Record<string, Json>).flatMap(leavesOf);
}

/** Clients change spaces, quotation and case of paths before they tell; words they do not. */
function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** A client may make a path absolute that the model gave otherwise. */
function withoutPlaces(text: string, { workspace, home }: Places): string {
  return text.replaceAll(workspace, "").replaceAll(home, "");
}

/** Codex tells a command with the shell that runs it. */
function withoutShell(text: string): string {
  return text.replace(/^\S*sh -l?c /u, "");
}

/** Tools that take a program, which calls others in its turn with words of its own making. */
const FREE_TOOLS = ["exec", "js_repl", "code_mode"];

/** More is not compared; an answer that is longer is cut anyway. */
const MOST_CHARS = 16 * 1024 * 1024;

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
