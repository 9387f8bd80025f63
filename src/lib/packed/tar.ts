import type { PackedFile } from "./packed-file.ts";

const BLOCK = 512;

export function isTar(bytes: Buffer): boolean {
  return bytes.length >= BLOCK && bytes.toString("latin1", 257, 262) === "ustar";
}

/** The files in a tar archive, as far as it can be followed; null where it cannot be, so that more may be in it. */
export function tarMembers(bytes: Buffer): readonly PackedFile[] | null {
  const members: PackedFile[] = [];
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const size = sizeIn(header);
    if (size === null || !isTar(header)) return null;
    const name = header.toString("latin1", 0, 100).replace(/\0.*$/s, "");
    members.push({ name, bytes: bytes.subarray(at + BLOCK, at + BLOCK + size) });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return members;
}

/** In octal digits, or as a number of bytes for what is larger. */
function sizeIn(header: Buffer): number | null {
  if ((header[124] ?? 0) >= 0x80) {
    const size = header.readBigUInt64BE(128);
    return size > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(size);
  }
  const digits = header.toString("latin1", 124, 136).replaceAll(/[\0 ]/g, "");
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || "0", 8) : null;
}
