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
    const end = chunk.lastIndexOf(0x0a) + 1;
    if (end === 0) {
      rest.push(chunk);
      continue;
    }
    const bytes =
      rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)]);
    yield { bytes, start };
    start += bytes.length;
    rest = end === chunk.length ? [] : [chunk.subarray(end)];
  }
}

/** Of bytes that end with a line end. */
export function linesIn(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  let from = 0;
  for (let to = bytes.indexOf(0x0a); to !== -1; to = bytes.indexOf(0x0a, from)) {
    lines.push(bytes.toString("utf8", from, to));
    from = to + 1;
  }
  return lines;
}

const BLOCK_BYTES = 4 * 1024 * 1024;
