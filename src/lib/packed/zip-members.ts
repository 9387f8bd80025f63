import { inflateRawSync } from "node:zlib";
import type { PackedFile } from "./packed-file.ts";

/**
 * Every member of a ZIP archive, found by its own header: a directory at the end could leave some out. Null where a member is
 * encrypted or packed in another way. Throws ERR_BUFFER_TOO_LARGE when they unpack to more than is allowed.
 */
export function zipMembers(bytes: Buffer, mostBytes: number): readonly PackedFile[] | null {
  const members: PackedFile[] = [];
  let left = mostBytes;
  for (let at = nextHeader(bytes, 0); at !== -1; at = nextHeader(bytes, at + 4)) {
    const header = headerAt(bytes, at);
    if (header === null) continue;
    const content = contentOf(bytes, header, left);
    if (content === null) return null;
    left -= content.length;
    members.push({ name: header.name, bytes: content });
  }
  return members;
}

interface Header {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packedSize: number;
  readonly start: number;
}

const HEADER_BYTES = 30;

function nextHeader(bytes: Buffer, from: number): number {
  return bytes.indexOf("PK\x03\x04", from, "latin1");
}

/** Null for the same four bytes by chance. */
function headerAt(bytes: Buffer, at: number): Header | null {
  if (at + HEADER_BYTES > bytes.length) return null;
  const [version, flags, method] = [4, 6, 8].map((offset) => bytes.readUInt16LE(at + offset));
  const [nameBytes, extraBytes] = [26, 28].map((offset) => bytes.readUInt16LE(at + offset));
  if (version === undefined || flags === undefined || method === undefined) return null;
  if (nameBytes === undefined || extraBytes === undefined) return null;
  const nameStart = at + HEADER_BYTES;
  const start = nameStart + nameBytes + extraBytes;
  const isPlausible = (version & 0xff) <= 63 && nameBytes > 0 && start <= bytes.length;
  if (!isPlausible || (method > 20 && method < 93) || method > 99) return null;
  return {
    name: bytes.toString("utf8", nameStart, nameStart + nameBytes),
    isEncrypted: (flags & 1) === 1,
    method,
    packedSize: bytes.readUInt32LE(at + 18),
    start,
  };
}

function contentOf(
  bytes: Buffer,
  { isEncrypted, method, packedSize, start }: Header,
  left: number,
): Buffer | null {
  if (isEncrypted) return null;
  // A size of zero may be one that is written behind the member.
  if (method === 0) return bytes.subarray(start, packedSize === 0 ? undefined : start + packedSize);
  if (method !== 8) return null;
  try {
    return inflateRawSync(bytes.subarray(start), { maxOutputLength: Math.max(1, left) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw error;
    return null;
  }
}
