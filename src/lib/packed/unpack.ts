import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";
import { closedKind } from "./closed-kinds.ts";
import type { PackedFile } from "./packed-file.ts";
import { pdfStreams } from "./pdf-streams.ts";
import { isTar, tarMembers } from "./tar.ts";
import { zipMembers } from "./zip-members.ts";

/** What a file unpacks to, or why it does not. Null for what is not packed. */
export function unpack(file: PackedFile, mostBytes: number): Unpacked | null {
  const kind = packedKind(file);
  if (kind === null) return embedded(file, mostBytes);
  try {
    const parts = OPENERS[kind.opener](file.bytes, mostBytes);
    return parts === null ? { why: "closed", kind: kind.name } : { parts };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") return { why: "too-large" };
    // Two letters or bytes at the start are no proof: a text may begin with them.
    return kind.sure ? { why: "closed", kind: kind.name } : null;
  }
}

export type Unpacked =
  | { readonly parts: readonly PackedFile[] }
  | { readonly why: "closed"; readonly kind: string }
  | { readonly why: "too-large" };

interface Kind {
  readonly name: string;
  readonly opener: keyof typeof OPENERS;
  /** What cannot be opened is of this kind nevertheless. */
  readonly sure: boolean;
}

/** By how the file begins; by its name only where the format has no beginning of its own. */
export function packedKind({ name, bytes }: PackedFile): Kind | null {
  const closed = closedKind(bytes);
  if (closed !== null) return { name: closed, opener: "closed", sure: true };
  if (begins(bytes, [0x1f, 0x8b, 8])) return { name: "gzip", opener: "gzip", sure: true };
  if (begins(bytes, "PK\x03\x04")) return { name: "zip", opener: "zip", sure: true };
  if (begins(bytes, "%PDF-")) return { name: "PDF", opener: "pdf", sure: true };
  if (isTar(bytes)) return { name: "tar", opener: "tar", sure: true };
  if (ZLIB.some((start) => begins(bytes, start))) return { name: "zlib", opener: "zlib", sure: false };
  if (/\.br$/i.test(name)) return { name: "brotli", opener: "brotli", sure: true };
  return null;
}

const ZLIB = [0x01, 0x5e, 0x9c, 0xda].map((flags) => [0x78, flags]);

type Open = (bytes: Buffer, mostBytes: number) => readonly PackedFile[] | null;

/** What was cut off is looked into as far as it goes. */
const asFarAsItGoes = (mostBytes: number) => ({
  maxOutputLength: Math.max(1, mostBytes),
  finishFlush: constants.Z_SYNC_FLUSH,
});

const OPENERS = {
  closed: () => null,
  gzip: (bytes, most) => [unnamed(gunzipSync(bytes, asFarAsItGoes(most)))],
  zlib: (bytes, most) => [unnamed(inflateSync(bytes, asFarAsItGoes(most)))],
  brotli: (bytes, most) => [unnamed(brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, most) }))],
  pdf: (bytes) => pdfStreams(bytes).map(unnamed),
  zip: (bytes, most) => zipMembers(bytes, most),
  tar: (bytes) => tarMembers(bytes),
} satisfies Record<string, Open>;

/** An archive behind a program that unpacks it. */
function embedded({ bytes }: PackedFile, mostBytes: number): Unpacked | null {
  if (!bytes.includes("PK\x03\x04", 0, "latin1")) return null;
  try {
    const parts = zipMembers(bytes, mostBytes);
    if (parts === null) return { why: "closed", kind: "zip" };
    return parts.length === 0 ? null : { parts };
  } catch {
    return { why: "too-large" };
  }
}

function unnamed(bytes: Buffer): PackedFile {
  return { name: "", bytes };
}

function begins(bytes: Buffer, start: string | readonly number[]): boolean {
  const wanted = typeof start === "string" ? Buffer.from(start, "latin1") : Buffer.from(start);
  return bytes.subarray(0, wanted.length).equals(wanted);
}
