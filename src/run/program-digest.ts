import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { fileHash } from "../lib/tree-hash.ts";

/** Of a program and the files that its call names. Interpreters and the like, which are large, are told apart by their size. */
export async function programDigest(files: readonly string[]): Promise<string> {
  const parts = await Promise.all(files.map(contentOf));
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

const MOST_BYTES = 16 * 1024 * 1024;

async function contentOf(file: string): Promise<string | number> {
  const { size } = await stat(file);
  return size > MOST_BYTES ? size : await fileHash(file).catch(() => size);
}
