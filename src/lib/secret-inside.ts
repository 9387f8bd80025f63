import { gunzipSync } from "node:zlib";
import { openZip, TooLarge } from "./office-text/unzip.ts";
import type { SecretMask } from "./secret-mask.ts";

/**
 * Whether a packed file holds a secret, so that it cannot be masked in place: in a member of a ZIP archive, in what a gzip
 * file unpacks to, or in the name of a member, also where one lies in another. What is too large to be unpacked is not
 * known to be clean. False for what is not packed.
 */
export function secretInside(bytes: Buffer, mask: SecretMask, depth = 0): boolean {
  const parts = unpacked(bytes);
  if (parts === "too-large") return true;
  return parts.some((part) => {
    const text = part.toString("latin1");
    return mask.bytes(text) !== text || (depth < MOST_LEVELS && secretInside(part, mask, depth + 1));
  });
}

export function isPacked(start: Buffer): boolean {
  return (start[0] === 0x1f && start[1] === 0x8b) || start.subarray(0, 2).toString("latin1") === "PK";
}

const MOST_LEVELS = 3;
const MOST_BYTES = 64 * 1024 * 1024;

function unpacked(bytes: Buffer): readonly Buffer[] | "too-large" {
  if (!isPacked(bytes)) return [];
  try {
    if (bytes[0] === 0x1f) return [gunzipSync(bytes, { maxOutputLength: MOST_BYTES })];
    const archive = openZip(bytes, MOST_BYTES);
    return (archive?.names ?? []).flatMap((name) => [
      Buffer.from(name),
      archive?.read(name) ?? Buffer.alloc(0),
    ]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return error instanceof TooLarge || code === "ERR_BUFFER_TOO_LARGE" ? "too-large" : [];
  }
}
