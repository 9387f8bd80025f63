import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { totalTokens, type Usage } from "../../domain/run.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { lineBlocks } from "../../lib/line-blocks.ts";
import { removeLeftovers } from "../../lib/remove-leftovers.ts";

/** Where the events of a transcript lie and what kind each is; `TimelineIndex` says what the letters mean. */
export interface TranscriptIndex {
  readonly schema: 1;
  /** Of the transcript that it was made from. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly kinds: string;
  /** Byte offset of each page's first event, and of the end. */
  readonly pages: readonly number[];
  readonly tokens: readonly (readonly [event: number, tokens: number])[];
}

/** Events in a page. */
export const PAGE_SIZE = 200;

/**
 * Made when first asked for and kept in the cache. One that was made from other bytes, or was cut short, is made again. Without
 * a transcript it is empty.
 */
export async function transcriptIndex(path: string, cache: string): Promise<TranscriptIndex> {
  const found = await stat(path).catch(() => null);
  if (found === null) return { schema: 1, size: 0, mtimeMs: 0, kinds: "", pages: [0], tokens: [] };
  const { size, mtimeMs } = found;
  const kept = join(cache, "transcripts", `${digest(path)}.json`);
  const index = await readKept(kept);
  if (index !== null && index.size === size && index.mtimeMs === mtimeMs) return index;
  const key = `${path}\0${size}\0${mtimeMs}`;
  const making = underWay.get(key) ?? make(path, { size, mtimeMs });
  underWay.set(key, making);
  try {
    const made = await making;
    if (size >= WORTH_KEEPING) await keep(kept, made);
    return made;
  } finally {
    underWay.delete(key);
  }
}

/** Two who open the same run at once read it once. */
const underWay = new Map<string, Promise<TranscriptIndex>>();

/** Smaller ones are read as fast as their index. */
const WORTH_KEEPING = 256 * 1024;

/** The results may lie where nobody can write; then it is made again each time. */
async function keep(path: string, index: TranscriptIndex): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await removeLeftovers(dirname(path));
    await writeFileAtomic(path, JSON.stringify(index), { durable: false });
  } catch {
    return;
  }
}

async function readKept(path: string): Promise<TranscriptIndex | null> {
  try {
    const index = JSON.parse(await readFile(path, "utf8")) as TranscriptIndex;
    return index.schema === 1 && isWhole(index) ? index : null;
  } catch {
    return null;
  }
}

/** Its places rise from page to page and lie in the transcript. */
function isWhole({ kinds, pages, size }: TranscriptIndex): boolean {
  if (typeof kinds !== "string" || pages.length !== Math.ceil(kinds.length / PAGE_SIZE) + 1) return false;
  return pages.every((at, page) => Number.isSafeInteger(at) && at >= (pages[page - 1] ?? 0) && at <= size);
}

async function make(path: string, of: { size: number; mtimeMs: number }): Promise<TranscriptIndex> {
  const letters: string[] = [];
  const pages: number[] = [];
  const tokens: [number, number][] = [];
  let end = 0;
  for await (const { bytes, start } of lineBlocks(path)) {
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
      const event = letters.length;
      if (event % PAGE_SIZE === 0) pages.push(start + from);
      const line = bytes.subarray(from, to);
      const letter = letterOf(line);
      letters.push(letter);
      if (letter === "g") addTokens(tokens, event, line);
      from = to + 1;
    }
    end = start + from;
  }
  return { schema: 1, ...of, kinds: letters.join(""), pages: [...pages, end], tokens: thinned(tokens) };
}

const NEWLINE = 0x0a;

/** By the first bytes of the line where they say it; quotes inside of texts are escaped, so nothing else looks like this. */
function letterOf(line: Buffer): string {
  const head = line.toString("latin1", 0, Math.min(line.length, 300));
  const [, kind = "", role = ""] = HEAD.exec(head) ?? [];
  if (kind === "message") return role === "user" ? "u" : "a";
  if (kind !== "tool-result") return LETTERS[kind] ?? parsedLetter(line);
  const tail = line.toString("latin1", Math.max(0, line.length - 40));
  return tail.endsWith('"isError":false,"denied":false}')
    ? "r"
    : /"isError":(?:true|false),"denied":(?:true|false)\}$/.test(tail)
      ? "x"
      : parsedLetter(line);
}

const HEAD =
  /^\{"index":\d+,"turn":\d+,"agent":(?:null|"(?:[^"\\]|\\.)*"),"kind":"([a-z-]+)"(?:,"role":"([a-z]+)")?/;

const LETTERS: Readonly<Record<string, string>> = {
  thinking: "t",
  "tool-call": "c",
  "skill-activated": "s",
  error: "e",
  usage: "g",
};

function parsedLetter(line: Buffer): string {
  try {
    const { kind, role, isError, denied } = JSON.parse(line.toString("utf8")) as Record<string, unknown>;
    if (kind === "message") return role === "user" ? "u" : "a";
    if (kind === "tool-result") return isError === true || denied === true ? "x" : "r";
    return LETTERS[String(kind)] ?? "?";
  } catch {
    return "?";
  }
}

function addTokens(tokens: [number, number][], event: number, line: Buffer): void {
  try {
    const { usage } = JSON.parse(line.toString("utf8")) as { usage: Usage };
    const total = totalTokens(usage);
    if (total !== null) tokens.push([event, total]);
  } catch {
    return;
  }
}

const MOST_TOKENS = 500;

function thinned(tokens: readonly [number, number][]): readonly [number, number][] {
  const each = Math.ceil(tokens.length / MOST_TOKENS);
  return tokens.filter((_, at) => at % Math.max(1, each) === 0);
}

function digest(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 24);
}
