import { open } from "node:fs/promises";
import type { Grading } from "../../domain/grading.ts";
import type { TimelineEvent, TimelineIndex, TimelinePage } from "../../domain/run-pages.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { notFound, type ViewedRun } from "./stored.ts";
import { lineBlocks, linesIn } from "../../lib/line-blocks.ts";
import { PAGE_SIZE, transcriptIndex } from "./transcript-index.ts";

export async function timelineIndex({ at, files }: ViewedRun, cache: string): Promise<TimelineIndex> {
  const { size, kinds, tokens } = await transcriptIndex(files.transcript, cache);
  const unread = kinds.split("?").length - 1;
  return {
    at,
    events: kinds.length,
    bytes: size,
    kinds,
    pageSize: PAGE_SIZE,
    tokens,
    problems: unread === 0 ? [] : [`${unread} lines of transcript.jsonl cannot be read`],
  };
}

/** The first page needs no index, so that a large transcript shows at once. */
export async function timelinePage(
  { within, at, files }: ViewedRun,
  page: number,
  cache: string,
): Promise<TimelinePage> {
  const lines =
    page === 0 ? await firstLines(files.transcript) : await pageLines(files.transcript, page, cache);
  const cited = citations(within.state.gradings.get(at.trial));
  return {
    page,
    events: lines.map((line, index): TimelineEvent => {
      const event = parse(line);
      return { ...cut(event), cited: cited.get(page * PAGE_SIZE + index) ?? [] };
    }),
  };
}

/** One event, whole. */
export async function wholeEvent(
  { files }: ViewedRun,
  index: number,
  cache: string,
): Promise<TranscriptEvent> {
  const lines = await pageLines(files.transcript, Math.floor(index / PAGE_SIZE), cache);
  const event = parse(lines[index % PAGE_SIZE] ?? "");
  if (event === null) throw notFound(`the transcript has no event ${index} that can be read`);
  return event;
}

async function firstLines(path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  try {
    for await (const { bytes } of lineBlocks(path)) {
      lines.push(...linesIn(bytes));
      if (lines.length >= PAGE_SIZE) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return lines.slice(0, PAGE_SIZE);
}

async function pageLines(path: string, page: number, cache: string): Promise<readonly string[]> {
  const { pages } = await transcriptIndex(path, cache);
  const [from, to] = [pages[page], pages[page + 1]];
  if (from === undefined || to === undefined) throw notFound(`the transcript has no page ${page}`);
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    await file.read(bytes, 0, bytes.length, from);
    return linesIn(bytes);
  } finally {
    await file.close();
  }
}

function parse(line: string): TranscriptEvent | null {
  try {
    const event = JSON.parse(line) as TranscriptEvent | null;
    return typeof event?.kind === "string" ? event : null;
  } catch {
    return null;
  }
}

/** Characters of one text that a timeline shows; nobody reads more without asking for it. */
const MOST_CHARS = 4000;

function cut(event: TranscriptEvent | null): {
  readonly event: TranscriptEvent | null;
  readonly cut: number;
} {
  switch (event?.kind) {
    case "message":
    case "thinking": {
      const left = beyond(event.text);
      return left === 0
        ? { event, cut: 0 }
        : { event: { ...event, text: event.text.slice(0, MOST_CHARS) }, cut: left };
    }
    case "tool-result": {
      const left = beyond(event.output);
      return left === 0
        ? { event, cut: 0 }
        : { event: { ...event, output: event.output.slice(0, MOST_CHARS) }, cut: left };
    }
    case "tool-call": {
      const text = JSON.stringify(event.input);
      const left = beyond(text);
      return left === 0
        ? { event, cut: 0 }
        : { event: { ...event, input: text.slice(0, MOST_CHARS) }, cut: left };
    }
    default:
      return { event: event ?? null, cut: 0 };
  }
}

function beyond(text: string): number {
  return Math.max(0, text.length - MOST_CHARS);
}

/** By event: the checks whose evidence it is. */
function citations(grading: Pick<Grading, "verdicts"> | undefined): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { checkId, evidence } of grading?.verdicts ?? []) {
    for (const piece of evidence) {
      const sources =
        piece.kind === "quote" ? [piece.source] : piece.kind === "absence" ? piece.searched : [];
      for (const source of sources) {
        if (source.kind !== "event") continue;
        const there = found.get(source.index) ?? [];
        if (!there.includes(checkId)) found.set(source.index, [...there, checkId]);
      }
    }
  }
  return found;
}
