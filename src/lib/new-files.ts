import { closeSync, fsync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "./atomic-file.ts";

/**
 * Writes new files into one folder, by name, so that they and their names outlast the machine. For files that nobody
 * reads before this resolves: they are not there all at once.
 */
export async function writeNewFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await Promise.all([...files].map(([name, content]) => writeNewFile(join(folder, name), content)));
  await syncFolder(folder);
}

/** Writing goes into the system's cache and is done at once; only the disk is waited for. */
async function writeNewFile(path: string, content: string): Promise<void> {
  const file = openSync(path, "w");
  try {
    writeFileSync(file, content);
    await new Promise<void>((resolve, reject) => {
      fsync(file, (error) => (error === null ? resolve() : reject(error)));
    });
  } finally {
    closeSync(file);
  }
}
