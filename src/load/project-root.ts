import { realpathSync, statSync, type Stats } from "node:fs";
import { dirname, join, sep } from "node:path";

const MAX_LEVELS = 50;

/**
 * The nearest directory, from `start` upwards, that has `.git`, a `.claude` or `_bmad` directory or a configuration file of
 * ours; where there is none, the nearest one with a package manifest that is not a skill itself; null when there is neither.
 * The home directory and whatever holds it never count: their `.claude` is the user's, not a project's.
 */
export function findProjectRoot(start: string, home: string | null): string | null {
  return projectRootFinder(home)(start);
}

/** As `findProjectRoot`, for many questions: no directory is looked at twice. `named` answers all of them. */
export function projectRootFinder(
  home: string | null,
  named: string | null = null,
): (start: string) => string | null {
  if (named !== null) return () => named;
  const excluded = new Set(homeAndAbove(home));
  const finder = (isRoot: (directory: string) => boolean) =>
    nearest((directory) => !excluded.has(directory) && isRoot(directory));
  const byMark = finder(isMarked);
  const byManifest = finder(hasManifest);
  return (start) => byMark(start) ?? byManifest(start);
}

export type FindProjectRoot = ReturnType<typeof projectRootFinder>;

/** Directories that no project can be: all of the machine, or of the user, would be in every workspace. */
export function homeAndAbove(home: string | null): readonly string[] {
  const found = new Set<string>([sep]);
  for (const start of home === null ? [] : [home, realOf(home)]) {
    for (let at = start; at !== dirname(at); at = dirname(at)) found.add(at);
  }
  return [...found];
}

function nearest(isRoot: (directory: string) => boolean): (start: string) => string | null {
  const known = new Map<string, string | null>();
  const find = (directory: string, level: number): string | null => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const found = isRoot(directory) ? directory : above(directory, level);
    known.set(directory, found);
    return found;
  };
  const above = (directory: string, level: number): string | null => {
    const parent = dirname(directory);
    return parent === directory || level === MAX_LEVELS ? null : find(parent, level + 1);
  };
  return (start) => find(start, 0);
}

function isMarked(directory: string): boolean {
  return [".git", ...CONFIG_FILES].some(isIn(directory)) || MARKING_DIRECTORIES.some(isFolderIn(directory));
}

/** A skill may be a package of its own; the project is what it is for. */
function hasManifest(directory: string): boolean {
  return MANIFESTS.some(isIn(directory)) && !["SKILL.md", "skill.md"].some(isIn(directory));
}

/** Read by the command line; here they only mark where a project begins. */
export const CONFIG_FILES = ["assay.config.json", "assay.config.yaml"];

const MARKING_DIRECTORIES = [".claude", "_bmad"];
const MANIFESTS = ["package.json", "pyproject.toml", "Cargo.toml", "go.mod"];

function isIn(directory: string): (name: string) => boolean {
  return (name) => look(join(directory, name)) !== undefined;
}

function isFolderIn(directory: string): (name: string) => boolean {
  return (name) => look(join(directory, name))?.isDirectory() === true;
}

/** Synchronous, because asking thousands of times for what is not there costs many times more otherwise. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
