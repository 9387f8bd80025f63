import { statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

const MAX_LEVELS = 50;

/**
 * The nearest directory, from `start` upwards, that has `.git` or a `.claude` directory; null when there is none.
 * The home directory never counts: its `.claude` is the user's, not a project's.
 */
export function findProjectRoot(start: string, home: string | null): string | null {
  let directory = start;
  for (let level = 0; level < MAX_LEVELS; level++) {
    if (directory !== home && isProjectRoot(directory)) return directory;
    const parent = dirname(directory);
    if (parent === directory) return null;
    directory = parent;
  }
  return null;
}

function isProjectRoot(directory: string): boolean {
  return (
    look(join(directory, ".git")) !== undefined || look(join(directory, ".claude"))?.isDirectory() === true
  );
}

/** Synchronous, because asking thousands of times for what is not there costs many times more otherwise. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
