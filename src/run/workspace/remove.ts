import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { chmod, lstat, readdir, rmdir, unlink } from "node:fs/promises";

/**
 * Removes a directory and all below it, whatever its programs left behind: directories without permissions, names that
 * are no UTF-8, sockets, loops. Links are removed, never followed. Answers null, or the first thing that would not go.
 */
export async function removeTree(root: string): Promise<string | null> {
  if (removedAtOnce(root)) return null;
  const problems: string[] = [];
  await removeEntry(Buffer.from(root), null, problems);
  return problems[0] ?? null;
}

/** Entries that are removed in one go, because waiting for each costs more than removing it. */
const FEW = 200;

/** True when a small, ordinary directory is gone; anything else is left to the patient way. */
function removedAtOnce(root: string): boolean {
  let left = FEW;
  const remove = (at: string): boolean => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (--left < 0) return false;
      const path = `${at}/${entry.name}`;
      if (!entry.isDirectory()) unlinkSync(path);
      else if (!remove(path)) return false;
    }
    rmdirSync(at);
    return true;
  };
  try {
    return remove(root);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(root);
  }
}

/** The same for many files: by a program of the system first, so that the runner's own time goes elsewhere. */
export async function removeLargeTree(root: string): Promise<string | null> {
  if (removedAtOnce(root)) return null;
  await new Promise<void>((resolve) => {
    execFile("rm", ["-rf", "--", root], { env: { PATH: "/usr/bin:/bin" } }, () => resolve());
  });
  return removeTree(root);
}

/** A parent that may not be searched or written to is opened up once something in it refuses to go. */
async function removeEntry(at: Buffer, parent: Buffer | null, problems: string[]): Promise<void> {
  try {
    await removeOnce(at, problems);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    try {
      if (parent !== null && (code === "EACCES" || code === "EPERM")) await chmod(parent, 0o700);
      await removeOnce(at, problems);
    } catch (again) {
      if ((again as NodeJS.ErrnoException).code !== "ENOENT") problems.push((again as Error).message);
    }
  }
}

async function removeOnce(at: Buffer, problems: string[]): Promise<void> {
  if (!(await lstat(at)).isDirectory()) return unlink(at);
  const entries = await readNames(at);
  for (let start = 0; start < entries.length; start += WIDTH) {
    const some = entries.slice(start, start + WIDTH);
    await Promise.all(some.map((name) => removeEntry(Buffer.concat([at, SLASH, name]), at, problems)));
  }
  return rmdir(at);
}

async function readNames(at: Buffer): Promise<Buffer[]> {
  try {
    return await readdir(at, { encoding: "buffer" });
  } catch {
    await chmod(at, 0o700);
    return readdir(at, { encoding: "buffer" });
  }
}

const WIDTH = 16;
const SLASH = Buffer.from("/");
