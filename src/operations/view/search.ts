import type { SearchHit, SearchPage } from "../../domain/run-pages.ts";
import { sightOf } from "../../domain/event-texts.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { UserError } from "../../domain/user-error.ts";
import { lineBlocks } from "../../lib/line-blocks.ts";
import type { ViewedIteration } from "./stored.ts";

export interface Searching {
  readonly query: string;
  /** Only in this run; null: in all. */
  readonly trial: string | null;
  /** From the page before; null: from the beginning. */
  readonly next: string | null;
}

/** Where to go on: in which run, at which byte, with what was counted so far. */
interface Cursor {
  readonly run: number;
  readonly offset: number;
  readonly count: number;
  readonly runs: number;
  /** The run that it stands in was counted. */
  readonly hit: boolean;
}

/**
 * Looks for a text in transcripts, without regard to case, for a short while; the answer says where to go on. Counts events
 * that hold it, not how often they do.
 */
export async function searchPage(
  { state, folder }: ViewedIteration,
  { query, trial, next }: Searching,
): Promise<SearchPage> {
  const place = new Map(state.cases.map(({ id }, index) => [id, index]));
  const ended = [...state.runs.values()].toSorted(
    (a, b) =>
      (place.get(a.trial.caseId) ?? 0) - (place.get(b.trial.caseId) ?? 0) ||
      a.trial.id.localeCompare(b.trial.id, "en", { numeric: true }),
  );
  const runs = trial === null ? ended : ended.filter((run) => run.trial.id === trial);
  const needle = needleOf(query);
  const hits: SearchHit[] = [];
  const deadline = performance.now() + BUDGET_MS;
  let { run: at, offset, count, runs: found, hit } = cursorOf(next);
  for (; at < runs.length; at++, offset = 0, hit = false) {
    const run = runs[at];
    if (run === undefined) break;
    for await (const { end, sight } of eventsWith(folder.run(run.folder).transcript, offset, needle)) {
      offset = end;
      if (sight !== null) {
        count++;
        if (!hit) found++;
        hit = true;
        if (hits.length < MOST_HITS) hits.push({ trial: run.trial.id, ...sight });
      }
      if (performance.now() < deadline) continue;
      const cursor: Cursor = { run: at, offset, count, runs: found, hit };
      return { query, hits, count, runs: found, done: false, next: JSON.stringify(cursor) };
    }
  }
  return { query, hits, count, runs: found, done: true, next: null };
}

/** The first answer must come within a second, on a busy machine too. */
const BUDGET_MS = 300;
/** In one answer; the others are only counted. */
const MOST_HITS = 200;

function cursorOf(next: string | null): Cursor {
  if (next === null) return { run: 0, offset: 0, count: 0, runs: 0, hit: false };
  const cursor = parsed(next) as Partial<Cursor> | null;
  const numbers = [cursor?.run, cursor?.offset, cursor?.count, cursor?.runs];
  if (numbers.every((one) => Number.isSafeInteger(one) && Number(one) >= 0)) return cursor as Cursor;
  throw new UserError("view/bad-request", "the position to continue from is unknown");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

interface TextNeedle {
  readonly lower: string;
  /** What every line that holds it has in its bytes, lower case; empty: that cannot be said. */
  readonly bytes: string;
}

/** Letters beyond ASCII have two cases that differ in their bytes, so only the longest stretch without is looked for first. */
function needleOf(query: string): TextNeedle {
  if (query.trim() === "") throw new UserError("view/bad-request", "the search text is empty");
  const lower = query.toLowerCase();
  const plain =
    JSON.stringify(lower)
      .slice(1, -1)
      .match(/[ -~]+/g) ?? [];
  return { lower, bytes: plain.reduce((best, one) => (one.length > best.length ? one : best), "") };
}

interface Seen {
  /** Behind this event, or behind what holds none. */
  readonly end: number;
  readonly sight: Omit<SearchHit, "trial"> | null;
}

async function* eventsWith(path: string, from: number, needle: TextNeedle): AsyncGenerator<Seen> {
  try {
    for await (const { bytes, start } of lineBlocks(path, from)) {
      const lower = bytes.toString("latin1").toLowerCase();
      for (let at = 0; at < lower.length;) {
        const found = lower.indexOf(needle.bytes, at);
        if (found === -1) break;
        const lineStart = found === 0 ? 0 : lower.lastIndexOf("\n", found - 1) + 1;
        const lineEnd = lower.indexOf("\n", found);
        const sight = sightIn(bytes.toString("utf8", lineStart, lineEnd), needle);
        at = lineEnd + 1;
        if (sight !== null) yield { end: start + at, sight };
      }
      yield { end: start + bytes.length, sight: null };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Null: it is only in what a line of JSON has beside texts, such as names of fields. */
function sightIn(line: string, { lower }: TextNeedle): Omit<SearchHit, "trial"> | null {
  const event = parsed(line) as TranscriptEvent | null;
  const sight = event === null ? null : sightOf(event, lower);
  return event === null || sight === null ? null : { event: event.index, kind: event.kind, ...sight };
}
