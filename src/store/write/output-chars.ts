import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Characters (code points) of the text files in a folder and below, without our own; 0 when there is no folder. */
export async function outputChars(folder: string, own: readonly string[]): Promise<number> {
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  let sum = 0;
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !own.includes(path)) sum += await charsOf(path);
  }
  return sum;
}

/** 0 for a file that is not text: one with a NUL byte or invalid UTF-8. */
async function charsOf(path: string): Promise<number> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let count = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (chunk.includes(0)) return 0;
      count += codePoints(decoder.decode(chunk, { stream: true }));
    }
    return count + codePoints(decoder.decode());
  } catch {
    return 0;
  }
}

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
