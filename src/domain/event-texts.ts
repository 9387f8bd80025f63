import type { Json } from "./json.ts";
import type { TranscriptEvent } from "./transcript.ts";

/** A text found in an event: what stands around it, and where in that it begins. */
export interface Sight {
  readonly excerpt: string;
  readonly start: number;
  readonly length: number;
}

const BEFORE = 60;
const AFTER = 100;

/** The first place of a text, given in lower case, without regard to case; null: it is in none of the event's texts. */
export function sightOf(event: TranscriptEvent, lower: string): Sight | null {
  for (const text of textsOf(event)) {
    const start = text.toLowerCase().indexOf(lower);
    if (start === -1) continue;
    const from = Math.max(0, start - BEFORE);
    return {
      excerpt: text.slice(from, start + lower.length + AFTER),
      start: start - from,
      length: lower.length,
    };
  }
  return null;
}

function textsOf(event: TranscriptEvent): readonly string[] {
  switch (event.kind) {
    case "message":
    case "thinking":
      return [event.text];
    case "tool-call":
      return [event.tool, ...leaves(event.input)];
    case "tool-result":
      return [event.output];
    case "skill-activated":
      return [event.skill];
    case "error":
      return [event.message];
    default:
      return [];
  }
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(leaves);
}

/** What a tool was called with, for people: the field that says most, else all of them. */
export function inputWords(input: Json): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return String(input ?? "");
  for (const name of ["command", "file_path", "path", "skill", "pattern", "query", "url", "description"]) {
    const value = (input as Readonly<Record<string, unknown>>)[name];
    if (typeof value === "string") return value;
  }
  return JSON.stringify(input);
}
