import { statfsSync } from "node:fs";

/** Whether nothing more can be written there, by this user: no space, or no room for another file. False where nobody can say. */
export function isFull(path: string): boolean {
  try {
    const { bavail, bfree, bsize, files, ffree } = statfsSync(path);
    const free = process.getuid?.() === 0 ? bfree : bavail;
    return free * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

const LEAST_BYTES = 64 * 1024;

/** What is free on the disk that a path lies on; 0 where nobody can say. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
