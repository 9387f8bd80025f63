import { createReadStream } from "node:fs";

/** A stretch of a file of lines that ends with a line end. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** Where in the file it begins. */
  readonly start: number;
}

/** The whole lines of a file from a line's beginning on, many at once; a last line without its line end is left out. */
export async function* lineBlocks(path: string, from = 0): AsyncGenerator<LineBlock> {
  let rest: Buffer[] = [];
  let start = from;
  const stream = createReadStream(path, { start: from, highWaterMark: BLOCK_BYTES }) as AsyncIterable<Buffer>;
  for await (const chunk of stream) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest.push(chunk);
      continue;
    }
    // The line that began in an earlier chunk comes alone: the others need not be copied for it.
    const first = rest.length === 0 ? 0 : chunk.indexOf(NEWLINE) + 1;
    if (first > 0) {
      const bytes = Buffer.concat([...rest, chunk.subarray(0, first)]);
      yield { bytes, start };
      start += bytes.length;
    }
    if (end > first) yield { bytes: chunk.subarray(first, end), start };
    start += end - first;
    rest = end === chunk.length ? [] : [chunk.subarray(end)];
  }
}

const NEWLINE = 0x0a;
const BLOCK_BYTES = 4 * 1024 * 1024;

/** Of bytes that end with a line end. */
export function linesIn(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  let from = 0;
  for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
    lines.push(bytes.toString("utf8", from, to));
    from = to + 1;
  }
  return lines;
}
