import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { synced, syncFolder } from "./atomic-file.ts";
import { nameFile } from "./name-file.ts";

/**
 * Writes new files into one folder, by name, so that they and their names outlast the machine. For files that nobody
 * reads before this resolves: they are not there all at once.
 */
export async function writeNewFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await Promise.all([...files].map(([name, content]) => writeNewFile(join(folder, name), content)));
  await syncFolder(folder);
}

/** For files that can be made again and that nobody reads yet. On failure nothing of the file stays behind. */
export function writeNewFileSync(path: string, content: string): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw withoutFile(path, error);
  }
}

function withoutFile(path: string, error: unknown): unknown {
  rmSync(path, { force: true });
  return nameFile(error, path);
}

async function writeNewFile(path: string, content: string): Promise<void> {
  const file = openSync(path, "w");
  try {
    writeFileSync(file, content);
    await synced(file);
  } catch (error) {
    throw withoutFile(path, error);
  } finally {
    closeSync(file);
  }
}
