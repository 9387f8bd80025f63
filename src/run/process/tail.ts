import { fstatSync, ftruncateSync, readSync } from "node:fs";
import type { LineWatcher } from "../harness.ts";

export interface TailLimits {
  /** A longer line is delivered cut to this. */
  readonly lineBytes: number;
  /** What lies beyond is neither read nor kept. */
  readonly totalBytes: number;
}

/** Reads the lines that a program appends to a file, in memory that depends on neither lines nor file. */
export interface Tail {
  /** Delivers what is there now, a bounded amount at a time: nothing, all of it, or some with more to come. */
  read(): "nothing" | "all" | "some";
  /** Delivers a last line that has no newline. */
  end(): void;
  /** The watcher has said "stop"; nothing is delivered after that. */
  readonly stopped: boolean;
  readonly notes: readonly string[];
}

/** Follows `fd` (open for reading and writing) from `start` on. What the watcher throws comes out of `read` and `end`. */
export function tail(fd: number, start: number, limits: TailLimits, watch: LineWatcher): Tail {
  const limit = start + limits.totalBytes;
  let position = start;
  let lineStart = start;
  let stopped = false;
  let cutLines = 0;
  let overflowed = false;

  function read(): "nothing" | "all" | "some" {
    const from = position;
    while (position - from < BYTES_PER_READ) {
      if (stopped) return "all";
      if (position === limit) dropOverflow();
      const count = readSync(fd, CHUNK, 0, Math.min(CHUNK.length, limit - position), position);
      if (count === 0) return position === from ? "nothing" : "all";
      deliverLines(CHUNK.subarray(0, count));
    }
    return "some";
  }

  function deliverLines(chunk: Buffer): void {
    const chunkStart = position;
    position += chunk.length;
    for (let from = 0; !stopped;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline === -1) return;
      const whole = lineStart >= chunkStart && newline - from <= limits.lineBytes;
      deliver(whole ? chunk.toString("utf8", from, newline) : lineFromFile(chunkStart + newline));
      from = newline + 1;
      lineStart = chunkStart + from;
    }
  }

  /** A line that began in an earlier chunk is read again as a whole, so that none is ever collected in memory. */
  function lineFromFile(lineEnd: number): string {
    const length = Math.min(lineEnd - lineStart, limits.lineBytes);
    if (length < lineEnd - lineStart) cutLines++;
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
    stopped = watch(line) === "stop";
  }

  /** Writers append, so cutting the file back keeps the disk from filling while the program still runs. */
  function dropOverflow(): void {
    if (fstatSync(fd).size <= limit) return;
    overflowed = true;
    ftruncateSync(fd, limit);
  }

  return {
    read,
    end() {
      if (!stopped && position > lineStart) deliver(lineFromFile(position));
      lineStart = position;
    },
    get stopped() {
      return stopped;
    },
    get notes() {
      const notes: string[] = [];
      if (cutLines > 0)
        notes.push(`${cutLines} output line(s) longer than ${limits.lineBytes} bytes were cut`);
      if (overflowed) notes.push(`output beyond ${limits.totalBytes} bytes was dropped`);
      return notes;
    },
  };
}

const NEWLINE = 0x0a;
/** One for all: reading and delivering is synchronous. */
const CHUNK = Buffer.allocUnsafeSlow(256 * 1024);
const BYTES_PER_READ = 4 * 1024 * 1024;
