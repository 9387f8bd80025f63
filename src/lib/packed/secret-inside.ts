import type { SecretMask } from "../secret-mask.ts";
import type { PackedFile } from "./packed-file.ts";
import { packedKind, unpack } from "./unpack.ts";

/** Why a packed file is not kept. `closed`: nobody here can look into it. `too-large`: it would unpack to too much. */
export type Withholding =
  | { readonly why: "secret" }
  | { readonly why: "closed"; readonly kind: string }
  | { readonly why: "too-large" };

/**
 * Whether a packed file holds a secret, so that it cannot be masked in place, or cannot be looked into: archives and compressed
 * files, also where one is in another. Null for what is not packed, and for what is packed and clean.
 */
export function secretInside(file: PackedFile, mask: SecretMask): Withholding | null {
  return search(file, { mask, depth: 0, left: { bytes: MOST_BYTES } });
}

/** By the first `START_BYTES` of a file. `binary`: an archive may be somewhere in it. */
export function packedness(name: string, start: Buffer): "packed" | "binary" | "plain" {
  if (packedKind({ name, bytes: start }) !== null) return "packed";
  return start.includes(0) ? "binary" : "plain";
}

export const START_BYTES = 512;

const MOST_LEVELS = 4;
const MOST_BYTES = 64 * 1024 * 1024;

interface Searching {
  readonly mask: SecretMask;
  readonly depth: number;
  /** Of what may be unpacked in all, whatever an archive says of itself. */
  readonly left: { bytes: number };
}

function search(file: PackedFile, { mask, depth, left }: Searching): Withholding | null {
  const found = unpack(file, left.bytes);
  if (found === null) return null;
  if ("why" in found) return found;
  if (depth === MOST_LEVELS) return { why: "too-large" };
  // Names of members, and members that are not compressed.
  if (holds(file.bytes, mask)) return { why: "secret" };
  for (const part of found.parts) {
    left.bytes -= part.bytes.length;
    if (left.bytes < 0) return { why: "too-large" };
    if (holds(part.bytes, mask)) return { why: "secret" };
    const inner = search(part, { mask, depth: depth + 1, left });
    if (inner !== null) return inner;
  }
  return null;
}

function holds(bytes: Buffer, mask: SecretMask): boolean {
  const text = bytes.toString("latin1");
  return mask.bytes(text) !== text;
}
