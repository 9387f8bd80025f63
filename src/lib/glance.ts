import { readFileSync, statSync } from "node:fs";

const MOST_BYTES = 256 * 1024;

/** The text of a small regular file, to be glanced at; empty for every other. Never throws. */
export function glance(path: string): string {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MOST_BYTES ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}
