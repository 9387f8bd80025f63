import { createHash } from "node:crypto";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { lineBlocks, linesIn } from "../../lib/line-blocks.ts";

/** What a run did, step by step, without what chance made of it. */
export interface RunSteps {
  readonly path: string;
  /** Equal for equal steps of all runs that were read with the same numbers. */
  readonly numbers: readonly number[];
  /** Of each step, the event that it is. */
  readonly events: readonly number[];
  /** Of each step, the ids, times and temporary names that its number does without, in order. */
  readonly chance: readonly (readonly string[])[];
}

/** Gives equal steps the same number. */
export class StepNumbers {
  readonly #byHead = new Map<string, Map<string, number>>();
  #next = 0;

  of(head: string, text: string): number {
    let same = this.#byHead.get(head);
    if (same === undefined) this.#byHead.set(head, (same = new Map()));
    const key = shortened(text);
    let number = same.get(key);
    if (number === undefined) same.set(key, (number = this.#next++));
    return number;
  }
}

/** Usage is no step; what cannot be read is one of its own. */
export async function readSteps(path: string, among: StepNumbers): Promise<RunSteps> {
  const steps: { numbers: number[]; events: number[]; chance: (readonly string[])[] } = {
    numbers: [],
    events: [],
    chance: [],
  };
  await eachLine(path, (line, at) => {
    const { event, text } = readEvent(line);
    if (event?.kind === "usage") return;
    const { head, ids } = partsOf(event);
    const chance = [...ids];
    const plain = text.replaceAll(BY_CHANCE, (found) => {
      chance.push(found);
      return "\0";
    });
    steps.numbers.push(among.of(head, plain));
    steps.events.push(at);
    steps.chance.push(chance.length === 0 ? NO_CHANCE : chance);
  });
  return { path, ...steps };
}

const NO_CHANCE: readonly string[] = [];

/** For people; null: there is no such step. */
export async function stepLabel({ path, events }: RunSteps, step: number): Promise<string | null> {
  let label: string | null = null;
  await eachLine(path, (line, at) => {
    if (at === events[step]) label = oneLine(labelOf(readEvent(line)));
    return at === events[step] ? "enough" : undefined;
  });
  return label;
}

async function eachLine(path: string, hear: (line: string, at: number) => "enough" | void): Promise<void> {
  let at = 0;
  try {
    for await (const { bytes } of lineBlocks(path))
      for (const line of linesIn(bytes)) if (hear(line, at++) === "enough") return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

interface ReadEvent {
  /** Null: the line is none, or says too little. */
  readonly event: TranscriptEvent | null;
  /** What it says; the whole line where it is none. */
  readonly text: string;
}

function readEvent(line: string): ReadEvent {
  try {
    const event = JSON.parse(line) as TranscriptEvent;
    const text = textIn(event);
    if (typeof text === "string") return { event, text };
  } catch {}
  return { event: null, text: line };
}

function textIn(event: TranscriptEvent): unknown {
  switch (event.kind) {
    case "message":
    case "thinking":
      return event.text;
    case "tool-call":
      return JSON.stringify(event.input);
    case "tool-result":
      return event.output;
    case "skill-activated":
      return event.skill;
    case "error":
      return event.message;
    default:
      return event.kind;
  }
}

/** What two steps must have in common besides their texts, and what they need not. */
function partsOf(event: TranscriptEvent | null): { readonly head: string; readonly ids: readonly string[] } {
  switch (event?.kind) {
    case "message":
      return { head: `message ${event.role}`, ids: [] };
    case "tool-call":
      return { head: `call ${event.tool}`, ids: [event.callId] };
    case "tool-result":
      return { head: `result ${event.isError} ${event.denied}`, ids: [event.callId] };
    default:
      return { head: event?.kind ?? "?", ids: [] };
  }
}

function labelOf({ event, text }: ReadEvent): string {
  switch (event?.kind) {
    case "message":
      return `${event.role}: ${text}`;
    case "tool-call":
      return `${event.tool} ${text}`;
    case "tool-result":
      return `${event.isError ? "failed result" : "result"}: ${text}`;
    case "skill-activated":
      return `skill ${text}`;
    case "thinking":
    case "error":
      return `${event.kind}: ${text}`;
    default:
      return event?.kind ?? "a line that cannot be read";
  }
}

const HEX = "[0-9a-fA-F]";

/**
 * UUIDs and digests, dates, times of day, how long something took, ids of services, names in the temporary folder. What begins
 * alike is told apart late, because this is looked for at every word of every text.
 */
const BY_CHANCE = new RegExp(
  [
    String.raw`\b(?:${[
      String.raw`(?=${HEX}{8})(?:${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}\b|(?=${HEX}{12,}\b)[a-fA-F]*\d${HEX}*)`,
      String.raw`\d(?:${[
        String.raw`\d{3}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`,
        String.raw`\d:\d\d:\d\d(?:[.,]\d+)?\b`,
        String.raw`\d*(?:\.\d+)?(?: ?(?:ms|seconds)|s)\b`,
      ].join("|")})`,
      String.raw`(?:toolu|call|msg|req|resp|chatcmpl|thread|session)[_-][A-Za-z0-9_-]{8,}`,
    ].join("|")})`,
    String.raw`/tmp/[\w.-]+`,
  ].join("|"),
  "g",
);

/** A digest of a long text takes less room. */
function shortened(text: string): string {
  return text.length <= 2000 ? text : createHash("sha256").update(text).digest("base64");
}

function oneLine(text: string): string {
  const line = text.slice(0, 400).replaceAll(/\s+/g, " ").trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
