import { statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

const MAX_LEVELS = 50;

/**
 * The nearest directory, from `start` upwards, that has `.git`, a `.claude` directory or a configuration file of
 * ours; null when there is none. The home directory never counts: its `.claude` is the user's, not a project's.
 */
export function findProjectRoot(start: string, home: string | null): string | null {
  return projectRootFinder(home)(start);
}

/** As `findProjectRoot`, for many questions: no directory is looked at twice. */
export function projectRootFinder(home: string | null): (start: string) => string | null {
  const known = new Map<string, string | null>();
  const find = (directory: string, level: number): string | null => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const found = directory !== home && isProjectRoot(directory) ? directory : above(directory, level);
    known.set(directory, found);
    return found;
  };
  const above = (directory: string, level: number): string | null => {
    const parent = dirname(directory);
    return parent === directory || level === MAX_LEVELS ? null : find(parent, level + 1);
  };
  return (start) => find(start, 0);
}

export type FindProjectRoot = ReturnType<typeof projectRootFinder>;

function isProjectRoot(directory: string): boolean {
  const isThere = (name: string) => look(join(directory, name)) !== undefined;
  return (
    isThere(".git") || CONFIG_FILES.some(isThere) || look(join(directory, ".claude"))?.isDirectory() === true
  );
}

/** Read by the command line; here they only mark where a project begins. */
export const CONFIG_FILES = ["assay.config.json", "assay.config.yaml"];

/** Synchronous, because asking thousands of times for what is not there costs many times more otherwise. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
