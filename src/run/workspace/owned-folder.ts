import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rmdir } from "node:fs/promises";
import path from "node:path";

import { removeLargeTree } from "./remove.ts";
import { isAbandoned, lockFolder } from "./run-lock.ts";

/** A folder that goes with its scope, or else, if the process is killed, with the next sweep. */
export interface OwnedFolder extends AsyncDisposable {
  readonly path: string;
}

const PREFIX = "assay-";
const OWNED = /^assay-(?:[a-z]+-)?[0-9a-f]{8}$/;
/** Nobody's, whatever is still in it: who removes it may be killed too. */
const REMOVED = ".removed";

/** Tells a folder from all others of this machine; the kind is for people. */
export function ownedToken(kind?: string): string {
  return `${kind === undefined ? "" : `${kind}-`}${randomBytes(4).toString("hex")}`;
}

export async function openOwnedFolder(
  parent: string,
  { token, pid }: { readonly token: string; readonly pid: number },
): Promise<OwnedFolder> {
  const folder = path.join(parent, `${PREFIX}${token}`);
  const lock = await makeAndLock(folder, pid);
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => {
      await lock[Symbol.asyncDispose]();
      await remove(folder);
    },
  };
}

async function makeAndLock(folder: string, pid: number): Promise<AsyncDisposable> {
  for (;;) {
    await mkdir(folder, { mode: 0o700 });
    try {
      return await lockFolder(folder, pid);
    } catch (error) {
      // Somebody's sweep took it for one that a killed process left empty.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      await remove(folder);
      throw error;
    }
  }
}

/** Removes from a directory what killed processes left of their own folders; answers what it removed. */
export async function sweepOwnedFolders(parent: string, now: Date): Promise<readonly string[]> {
  const swept: string[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = path.join(parent, name);
    if (OWNED.test(name) ? await sweep(folder, now) : isRemoved(name) && (await isGone(folder)))
      swept.push(folder);
  }
  return swept;
}

/** What is empty goes at once: an owner that has not written into it yet makes it anew. */
async function sweep(folder: string, now: Date): Promise<boolean> {
  const wasEmpty = await rmdir(folder).then(
    () => true,
    () => false,
  );
  return wasEmpty || ((await isAbandoned(folder, now)) && (await remove(folder)));
}

function isRemoved(name: string): boolean {
  return name.endsWith(REMOVED) && OWNED.test(name.slice(0, -REMOVED.length));
}

/** False where somebody else removes it, or something of it will not go. */
async function remove(folder: string): Promise<boolean> {
  const removed = `${folder}${REMOVED}`;
  try {
    await rename(folder, removed);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT" && (await isGone(folder));
  }
  return isGone(removed);
}

async function isGone(folder: string): Promise<boolean> {
  return (await removeLargeTree(folder)) === null;
}
