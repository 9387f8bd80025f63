import { createReadStream } from "node:fs";

export interface JsonLine {
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

/** The whole lines of a file, one at a time; a last line without its line end was never finished and is left out. */
export async function* readLines(path: string): AsyncGenerator<JsonLine> {
  let line = 0;
  let pieces: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      line++;
      yield { line, text: textOf(pieces, chunk, { from, end }) };
      pieces = [];
      from = end + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  }
}

const CHUNK_BYTES = 1024 * 1024;

function textOf(
  before: readonly Buffer[],
  chunk: Buffer,
  { from, end }: { readonly from: number; readonly end: number },
): string {
  if (before.length === 0) return chunk.toString("utf8", from, end);
  return Buffer.concat([...before, chunk.subarray(from, end)]).toString("utf8");
}

/** One value on one line, with its line end. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
