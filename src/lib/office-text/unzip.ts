import { inflateRawSync } from "node:zlib";

/** The files of an archive, read one by one. */
export interface Archive {
  readonly names: readonly string[];
  /** Null when there is no such file or it cannot be unpacked. Throws `TooLarge` when all that was read is more than allowed. */
  read(name: string): Buffer | null;
}

/** An archive that would unpack to more than is allowed. */
export class TooLarge extends Error {}

/** Null when the bytes are no ZIP archive. What is unpacked in total has a bound, whatever the archive says of itself. */
export function openZip(bytes: Buffer, mostBytes: number): Archive | null {
  const end = endOfDirectory(bytes);
  if (end === null) return null;
  const entries = directory(bytes, end);
  if (entries === null) return null;
  let left = mostBytes;
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      const packed = entry === undefined ? null : packedBytes(bytes, entry);
      if (entry === undefined || packed === null) return null;
      const content = unpack(packed, entry.method, left);
      if (content !== null) left -= content.length;
      return content;
    },
  };
}

interface Entry {
  readonly method: number;
  readonly packedSize: number;
  readonly offset: number;
}

const MOST_ENTRIES = 20_000;

function endOfDirectory(bytes: Buffer): { count: number; offset: number } | null {
  const from = bytes.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (from === -1 || from + 22 > bytes.length) return null;
  return { count: bytes.readUInt16LE(from + 10), offset: bytes.readUInt32LE(from + 16) };
}

function directory(bytes: Buffer, end: { count: number; offset: number }): Map<string, Entry> | null {
  const entries = new Map<string, Entry>();
  let at = end.offset;
  for (let index = 0; index < Math.min(end.count, MOST_ENTRIES); index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return null;
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    entries.set(name, {
      method: bytes.readUInt16LE(at + 10),
      packedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function packedBytes(bytes: Buffer, { offset, packedSize }: Entry): Buffer | null {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== 0x04034b50) return null;
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  return start + packedSize > bytes.length ? null : bytes.subarray(start, start + packedSize);
}

function unpack(packed: Buffer, method: number, mostBytes: number): Buffer | null {
  if (method === 0) {
    if (packed.length > mostBytes) throw new TooLarge();
    return packed;
  }
  if (method !== 8) return null;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, mostBytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw new TooLarge();
    return null;
  }
}
