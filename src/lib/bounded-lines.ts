import { createReadStream } from "node:fs";

/** A line of a file that may be of any size; null: it was longer than allowed and was not held. */
export interface BoundedLine {
  /** Counts from 1. */
  readonly line: number;
  readonly text: string | null;
  /** The file ends without a line end after it. */
  readonly isLast: boolean;
}

/** Every line of a file, also a last one without its line end, holding at most `mostBytes` of one at a time. */
export async function* boundedLines(path: string, mostBytes: number): AsyncGenerator<BoundedLine> {
  let line = 1;
  let bytes = 0;
  let pieces: Buffer[] = [];
  const take = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= mostBytes) pieces.push(piece);
    else pieces = [];
  };
  const text = () => (bytes > mostBytes ? null : Buffer.concat(pieces).toString("utf8").replace(/\r$/, ""));
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      take(chunk.subarray(from, end));
      yield { line, text: text(), isLast: false };
      line++;
      bytes = 0;
      pieces = [];
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (bytes > 0) yield { line, text: text(), isLast: true };
}
