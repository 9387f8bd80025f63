import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const MAX_LEVELS = 50;

/**
 * The nearest directory, from `start` upwards, that has `.git` or a `.claude` directory; null when there is none.
 * The home directory never counts: its `.claude` is the user's, not a project's.
 */
export async function findProjectRoot(start: string, home: string | null): Promise<string | null> {
  let directory = start;
  for (let level = 0; level < MAX_LEVELS; level++) {
    if (directory !== home && (await isProjectRoot(directory))) return directory;
    const parent = dirname(directory);
    if (parent === directory) return null;
    directory = parent;
  }
  return null;
}

async function isProjectRoot(directory: string): Promise<boolean> {
  const [git, claude] = await Promise.all([
    stat(join(directory, ".git")).catch(() => null),
    stat(join(directory, ".claude")).catch(() => null),
  ]);
  return git !== null || claude?.isDirectory() === true;
}
