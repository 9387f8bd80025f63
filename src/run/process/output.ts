import { readSync, writeSync } from "node:fs";
import { nestsDeeper } from "../../lib/nests-deeper.ts";
import type { LineWatcher } from "../harness.ts";

export interface OutputLimits {
  /** Of a longer line only the beginning is delivered. */
  readonly lineBytes: number;
  /** What lies beyond is neither delivered nor kept. */
  readonly totalBytes: number;
}

/** Keeps what a program says and delivers its lines, in memory that depends on neither lines nor amount. */
export interface Output {
  /** Keeps the bytes first, so that whatever a line leads to, its words are on disk. Throws what the watcher throws. */
  take(bytes: Buffer): void;
  /** Delivers a last line that has no newline. */
  end(): void;
  /** The watcher has said "stop"; nothing is delivered after that. */
  readonly stopped: boolean;
  /** It said more than is kept. */
  readonly overflowed: boolean;
  /** Lines of which only the beginning was delivered. */
  readonly cutLines: number;
  readonly notes: readonly string[];
}

/** Appends to `fd` (open for reading and appending, and nobody else's) from `start`, its size, on. */
export function keepOutput(fd: number, start: number, limits: OutputLimits, watch: LineWatcher): Output {
  const limit = start + limits.totalBytes;
  let position = start;
  let lineStart = start;
  let stopped = false;
  let cutLines = 0;
  let tangledLines = 0;
  let overflowed = false;

  function take(bytes: Buffer): void {
    const kept = bytes.subarray(0, limit - position);
    overflowed ||= kept.length < bytes.length;
    for (let done = 0; done < kept.length;) done += writeSync(fd, kept, done);
    const from = position;
    position += kept.length;
    deliverLines(kept, from);
  }

  function deliverLines(chunk: Buffer, chunkStart: number): void {
    for (let from = 0; !stopped;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline === -1) return;
      const whole = lineStart >= chunkStart && newline - from <= limits.lineBytes;
      const line = whole ? chunk.toString("utf8", from, newline) : lineFromFile(chunkStart + newline);
      from = newline + 1;
      lineStart = chunkStart + from;
      deliver(line);
    }
  }

  /** A line that began in an earlier chunk is read again as a whole, so that none is ever collected in memory. */
  function lineFromFile(lineEnd: number): string {
    const isCut = lineEnd - lineStart > limits.lineBytes;
    if (isCut) cutLines++;
    const length = isCut ? Math.min(limits.lineBytes, CUT_BYTES) : lineEnd - lineStart;
    const line = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(fd, line, filled, length - filled, lineStart + filled);
      if (count === 0) break;
      filled += count;
    }
    return line.toString("utf8", 0, filled);
  }

  function deliver(line: string): void {
    const tangled = line.startsWith("{") && nestsDeeper(line, MOST_DEPTH);
    if (tangled) tangledLines++;
    stopped = watch(tangled ? line.slice(0, MOST_DEPTH) : line) === "stop";
  }

  return {
    take,
    end() {
      if (!stopped && position > lineStart) deliver(lineFromFile(position));
      lineStart = position;
    },
    get stopped() {
      return stopped;
    },
    get overflowed() {
      return overflowed;
    },
    get cutLines() {
      return cutLines + tangledLines;
    },
    get notes() {
      const notes: string[] = [];
      if (cutLines > 0)
        notes.push(`${cutLines} output line(s) longer than ${limits.lineBytes} bytes were cut`);
      if (tangledLines > 0)
        notes.push(`${tangledLines} output line(s) nested more than ${MOST_DEPTH} deep were cut`);
      if (overflowed) notes.push(`output beyond ${limits.totalBytes} bytes was dropped`);
      return notes;
    },
  };
}

const NEWLINE = 0x0a;

/** Enough for people to see what it was; nobody can parse or grade a part, however long. */
const CUT_BYTES = 256 * 1024;

/** No client nests as deep, and no reader of what it says has to. */
const MOST_DEPTH = 500;
