import { closeSync, constants, mkdtempSync, openSync, rmdirSync } from "node:fs";
import { join } from "node:path";

/** Node has no word for it; the number is the same on all systems it is built for. */
const O_TMPFILE = process.platform === "linux" ? 0o20_000_000 | constants.O_DIRECTORY : null;

/**
 * Opens a file without a name on the folder's file system, to write and read: whoever is killed leaves nothing of it. Null where the system has
 * none, or the folder cannot be written.
 */
export function openUnnamed(folder: string): number | null {
  if (O_TMPFILE === null) return null;
  try {
    return openSync(folder, constants.O_RDWR | O_TMPFILE, 0o600);
  } catch {
    return null;
  }
}

/** Throws where nothing can be made in the folder; tried, because a file system may refuse what its permissions allow, as /proc does for root. */
export function requireWritable(folder: string): void {
  const file = openUnnamed(folder);
  if (file !== null) closeSync(file);
  else rmdirSync(mkdtempSync(join(folder, ".assay-")));
}
