import { crc32, deflateRawSync } from "node:zlib";

/** One file of an archive. */
export interface ZipEntry {
  /** Relative, with forward slashes. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/**
 * A ZIP archive whose bytes depend on names, contents and the executable bit alone: entries are sorted, and times
 * are those of the format's first day.
 */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  if (sorted.length > MAX_16) throw new RangeError(`a ZIP archive holds at most ${MAX_16} files`);
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of sorted) {
    const packed = pack(entry);
    const { local, central } = headers(entry, packed, offset);
    chunks.push(local, packed.bytes);
    directory.push(central);
    offset += local.length + packed.bytes.length;
    if (offset > MAX_32) throw new RangeError("a ZIP archive of this kind holds at most 4 GB");
  }
  const index = Buffer.concat(directory);
  return Buffer.concat([...chunks, index, ending({ count: sorted.length, size: index.length, offset })]);
}

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
const UNIX = 3;
const UTF8_NAMES = 0x0800;
/** 1 January 1980, midnight. */
const DATE = 0x0021;

interface Packed {
  readonly method: typeof STORED | typeof DEFLATED;
  readonly bytes: Buffer;
  readonly crc: number;
}

function pack({ content }: ZipEntry): Packed {
  const crc = crc32(content);
  const deflated = deflateRawSync(content, { level: 9 });
  if (deflated.length < content.length) return { method: DEFLATED, bytes: deflated, crc };
  return { method: STORED, bytes: Buffer.from(content), crc };
}

function headers(entry: ZipEntry, packed: Packed, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(VERSION, 0);
  shared.writeUInt16LE(UTF8_NAMES, 2);
  shared.writeUInt16LE(packed.method, 4);
  shared.writeUInt16LE(0, 6);
  shared.writeUInt16LE(DATE, 8);
  shared.writeUInt32LE(packed.crc, 10);
  shared.writeUInt32LE(packed.bytes.length, 14);
  shared.writeUInt32LE(entry.content.length, 18);
  shared.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, name]);
  const madeBy = Buffer.from([VERSION, UNIX]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((entry.executable ? 0o100755 : 0o100644) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  return { local, central: Buffer.concat([Buffer.from("PK\u0001\u0002"), madeBy, shared, rest, name]) };
}

function ending({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
