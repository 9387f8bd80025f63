import { constants, inflateSync } from "node:zlib";

/** The compressed streams of a PDF that hold text; those that are no text, such as large pictures, are left out. */
export function pdfStreams(bytes: Buffer): readonly Buffer[] {
  const streams: Buffer[] = [];
  for (
    let at = bytes.indexOf(WORD);
    at !== -1 && streams.length < MOST_STREAMS;
    at = bytes.indexOf(WORD, at + 1)
  ) {
    const start = afterLineEnd(bytes, at + WORD.length);
    const text = start === null ? null : inflated(bytes.subarray(start));
    if (text !== null) streams.push(text);
  }
  return streams;
}

const WORD = "stream";
const MOST_STREAMS = 5000;
const MOST_BYTES = 2 * 1024 * 1024;

function afterLineEnd(bytes: Buffer, at: number): number | null {
  if (bytes[at] === 0x0a) return at + 1;
  return bytes[at] === 0x0d ? at + (bytes[at + 1] === 0x0a ? 2 : 1) : null;
}

function inflated(bytes: Buffer): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: MOST_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
}
