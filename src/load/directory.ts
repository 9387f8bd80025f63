import { type Dirent, readdirSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";

type Report = (diagnostic: Diagnostic) => void;

/** A directory's entries by kind, links followed, each list sorted. */
export interface DirectoryListing {
  readonly directory: string;
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Those of `directories` that are links. */
  readonly linked: ReadonlySet<string>;
}

/** What a directory holds; nothing when there is no such directory. What cannot be read is reported. */
export async function listDirectory(directory: string, report: Report): Promise<DirectoryListing> {
  const files: string[] = [];
  const directories: string[] = [];
  const linked = new Set<string>();
  for (const entry of entriesOf(directory, report)) {
    const kind = await kindOf(directory, entry, report);
    if (kind === "directory") {
      directories.push(entry.name);
      if (entry.isSymbolicLink()) linked.add(entry.name);
    } else if (kind === "file") files.push(entry.name);
  }
  return { directory, files: files.sort(), directories: directories.sort(), linked };
}

/** Read by no one looking for skills or evals. */
const SKIPPED = new Set(["node_modules", ".git", ".assay"]);

export interface WalkOptions {
  readonly report: Report;
  readonly maxDepth: number;
  /** Says whether the walk goes below a directory it has visited. */
  readonly visit: (listing: DirectoryListing) => boolean | Promise<boolean>;
}

/**
 * Visits directories top-down, in order of their names. Links are followed where they lead out of `root`, two
 * levels deep and no further link; inside, the walk comes by anyway. A link to where the walk came from is reported.
 */
export async function walk(root: string, options: WalkOptions): Promise<void> {
  const realRoot = await realpath(root).catch(() => root);
  await walkBelow(root, { ...options, realRoot, outside: false });
}

/** Is `path` the directory itself or below it? Both absolute. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !/^\.\.[/\\]/.test(way) && !isAbsolute(way));
}

interface WalkState extends WalkOptions {
  readonly realRoot: string;
  readonly outside: boolean;
}

const LEVELS_OUTSIDE = 2;

async function walkBelow(directory: string, state: WalkState): Promise<void> {
  const listing = await listDirectory(directory, state.report);
  const goOn = await state.visit(listing);
  if (!goOn || state.maxDepth === 0) return;
  const deeper = { ...state, maxDepth: state.maxDepth - 1 };
  for (const name of listing.directories) {
    if (SKIPPED.has(name) || (name.endsWith("-workspace") && (await isWorkspace(join(directory, name)))))
      continue;
    const path = join(directory, name);
    if (!listing.linked.has(name)) await walkBelow(path, deeper);
    else if (!state.outside) await followLink(path, deeper);
  }
}

async function followLink(path: string, state: WalkState): Promise<void> {
  const target = await realpath(path);
  const from = await realpath(join(path, ".."));
  if (isInside(from, target)) {
    state.report(loop(path));
    return;
  }
  if (isInside(target, state.realRoot)) return;
  await walkBelow(path, { ...state, outside: true, maxDepth: Math.min(state.maxDepth, LEVELS_OUTSIDE) });
}

/** Result folders hold copies of skills that are not meant to be found. */
async function isWorkspace(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => []);
  return names.some((name) => /^iteration-\d+/.test(name));
}

/** Synchronous: a walk over thousands of directories takes a fraction of the time, and each call is short. */
/** What `readdir` gives; nothing when there is no such directory, or after it was reported why it cannot be read. */
export function entriesOf(directory: string, report: Report): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (code === "ELOOP") report(loop(directory));
    else {
      const isDenied = code === "EACCES" || code === "EPERM";
      const why = isDenied ? "permission denied" : message;
      report({
        severity: "error",
        code: "file/unreadable",
        message: `the directory cannot be read: ${why}`,
        at: { file: directory, line: 1, column: 1 },
        hint: isDenied ? "make it readable, or pass what you want to use instead" : null,
      });
    }
    return [];
  }
}

async function kindOf(
  directory: string,
  entry: Dirent,
  report: Report,
): Promise<"file" | "directory" | null> {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return null;
  const path = join(directory, entry.name);
  try {
    return (await stat(path)).isDirectory() ? "directory" : "file";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") return "file";
    report(loop(path));
    return null;
  }
}

function loop(path: string): Diagnostic {
  return {
    severity: "error",
    code: "file/symlink-loop",
    message: `the link ${JSON.stringify(basename(path))} points back to itself or to a parent directory`,
    at: { file: path, line: 1, column: 1 },
    hint: "remove the link",
  };
}
