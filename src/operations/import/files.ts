import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { FileChange } from "../../domain/run.ts";
import { fileHash } from "../../lib/tree-hash.ts";
import { outputPath } from "../../run/workspace/capture.ts";

const MOST_BYTES_PER_FILE = 20 * 1024 * 1024;
const MOST_FILES = 2000;

/** What other tools keep beside what the agent made. */
const NOT_MADE = new Set(["metrics.json", "transcript.md", "user_notes.md", "FILES.md"]);

/** Copies the files that a run made. Links are not followed; what is too large is listed without its content. */
export async function importFiles(from: string | null, to: string): Promise<readonly FileChange[]> {
  if (from === null) return [];
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !NOT_MADE.has(relative(from, path)) && !SKIPPED.test(relative(from, path)))
    .toSorted();
  const changes: FileChange[] = [];
  for (const path of paths) {
    const name = relative(from, path).replaceAll("\\", "/");
    const { size: bytes } = await lstat(path);
    const captured = bytes <= MOST_BYTES_PER_FILE && changes.length < MOST_FILES;
    if (captured) await copy(path, join(to, outputPath(name)));
    changes.push({ path: name, change: "created", bytes, sha256: await fileHash(path), captured });
  }
  return changes;
}

const SKIPPED = /(^|[\\/])(node_modules|\.git|\.claude)([\\/]|$)/;

/** The files that a run was given. */
export async function importInputs(from: string | null, to: string): Promise<void> {
  if (from === null) return;
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await lstat(path)).size <= MOST_BYTES_PER_FILE) await copy(path, join(to, relative(from, path)));
  }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}
