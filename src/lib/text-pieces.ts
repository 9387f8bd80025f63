import { open } from "node:fs/promises";

/**
 * A UTF-8 file in pieces of about a megabyte, each good until the next is asked for. A piece begins with the last `overlap`
 * bytes of the one before, so that nothing is lost between them. Unless `asIs`, CRLF and a lone CR are one newline, as Python
 * reads them.
 */
export async function* textPieces(path: string, overlap: number, asIs = false): AsyncGenerator<Buffer> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafe(overlap + CHUNK);
  let end = 0;
  let afterReturn = false;
  for (;;) {
    const kept = Math.min(overlap, end);
    buffer.copyWithin(0, end - kept, end);
    const { bytesRead } = await file.read(buffer, kept, CHUNK);
    if (bytesRead === 0) return;
    const fresh = buffer.subarray(kept, kept + bytesRead);
    const endsInReturn = fresh.at(-1) === RETURN;
    end = kept + (asIs ? bytesRead : joinLineEnds(fresh, afterReturn));
    afterReturn = endsInReturn;
    yield buffer.subarray(0, end);
  }
}

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** In place; answers the new length. */
function joinLineEnds(bytes: Buffer, afterReturn: boolean): number {
  if (!afterReturn && !bytes.includes(RETURN)) return bytes.length;
  let length = 0;
  let before = afterReturn ? RETURN : 0;
  for (const byte of bytes) {
    if (byte !== NEWLINE || before !== RETURN) bytes[length++] = byte === RETURN ? NEWLINE : byte;
    before = byte;
  }
  return length;
}
