import { inputWords } from "../../domain/event-texts.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { lineBlocks } from "../../lib/line-blocks.ts";
import type { StepNumbers } from "./step-numbers.ts";
import { isAt, type ScannedRange, StepScan } from "./step-scan.ts";

/** What a run did, step by step, without what chance made of it. */
export interface RunSteps {
  readonly path: string;
  /** Equal for equal steps of all runs that were read with the same numbers. */
  readonly numbers: readonly number[];
  /** Of each step, the event that it is. */
  readonly events: readonly number[];
  /** The ids, times and temporary names that the numbers do without, as hashes in order, and where those of each step end. */
  readonly chance: { readonly ends: readonly number[]; readonly values: readonly number[] };
}

/** Usage is no step; what cannot be read is one of its own. */
export async function readSteps(path: string, among: StepNumbers): Promise<RunSteps> {
  const scan = new StepScan();
  const [numbers, events, ends]: [number[], number[], number[]] = [[], [], []];
  await eachLine(path, (bytes, { from, to, at }) => {
    if (!isScanned(scan, bytes, { from, to })) return;
    numbers.push(among.of(scan.one, scan.two));
    events.push(at);
    ends.push(scan.chance.length);
  });
  return { path, numbers, events, chance: { ends, values: scan.chance } };
}

/** From the kind on: what stands before it says where the event is, not what. False for usage. */
function isScanned(scan: StepScan, bytes: Buffer, { from, to }: ScannedRange): boolean {
  const kind = kindAt(bytes, from);
  if (kind === -1) {
    const again = writtenAgain(bytes.toString("utf8", from, to));
    if (again !== null) return isScanned(scan, again, { from: 0, to: again.length });
    scan.read(bytes, { from, to });
    return true;
  }
  if (isAt(bytes, kind, USAGE)) return false;
  const id = CALLS.find((call) => isAt(bytes, kind, call));
  scan.read(bytes, { from: kind, to, idAt: id === undefined ? -1 : kind + id.length });
  return true;
}

/** As `transcript.jsonl` is written; -1: this line is not. */
function kindAt(bytes: Buffer, from: number): number {
  if (!isAt(bytes, from, INDEX)) return -1;
  const turn = afterDigits(bytes, from + INDEX.length);
  if (!isAt(bytes, turn, TURN)) return -1;
  const agent = afterDigits(bytes, turn + TURN.length);
  if (isAt(bytes, agent, MAIN_AGENT)) return agent + MAIN_AGENT.length - KIND.length;
  return isAt(bytes, agent, AGENT) ? bytes.indexOf(KIND, agent) : -1;
}

function afterDigits(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) at++;
  return at;
}

const INDEX = Buffer.from('{"index":');
const TURN = Buffer.from(',"turn":');
const AGENT = Buffer.from(',"agent":"');
const KIND = Buffer.from('"kind":"');
const MAIN_AGENT = Buffer.from(',"agent":null,"kind":"');
const USAGE = Buffer.from('"kind":"usage"');
const CALLS = ["tool-call", "tool-result"].map((kind) => Buffer.from(`"kind":"${kind}","callId":"`));

/** An event whose keys are in another order than ours, in ours; null: the line is none. */
function writtenAgain(line: string): Buffer | null {
  const { event } = readEvent(line);
  if (event === null) return null;
  const { index, turn, agent, kind, ...rest } = event;
  return Buffer.from(
    JSON.stringify({ index: index ?? null, turn: turn ?? null, agent: agent ?? null, kind, ...rest }),
  );
}

/** For people; null: there is no such step. */
export async function stepLabel({ path, events }: RunSteps, step: number): Promise<string | null> {
  let label: string | null = null;
  await eachLine(path, (bytes, { from, to, at }) => {
    if (at !== events[step]) return;
    label = oneLine(labelOf(readEvent(bytes.toString("utf8", from, to))));
    return "enough";
  });
  return label;
}

interface LinePlace {
  readonly from: number;
  readonly to: number;
  /** Which line of the file it is, from 0. */
  readonly at: number;
}

async function eachLine(
  path: string,
  hear: (bytes: Buffer, place: LinePlace) => "enough" | void,
): Promise<void> {
  let at = 0;
  try {
    for await (const { bytes } of lineBlocks(path)) {
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
        if (hear(bytes, { from, to, at: at++ }) === "enough") return;
        from = to + 1;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

const NEWLINE = 0x0a;

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

function labelOf({ event, text }: ReadEvent): string {
  switch (event?.kind) {
    case "message":
      return `${event.role}: ${text}`;
    case "tool-call":
      return `${event.tool} ${inputWords(event.input)}`;
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

function oneLine(text: string): string {
  const line = text.slice(0, 400).replaceAll(/\s+/g, " ").trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
