import { statfsSync } from "node:fs";

/** What is free on the disk that a path lies on; 0 where nobody can say. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
