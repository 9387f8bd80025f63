import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { type IgnoreRules, NO_RULES } from "../../lib/gitignore.ts";
import { gitFiles, type HostEnv } from "./git.ts";
import { inParallel } from "./layer.ts";

/** A file or link found below a root; directories are only what leads to them, unless `directory` is said. */
export interface Found {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly kind: "file" | "link" | "directory";
}

export interface Listing {
  readonly found: readonly Found[];
  /** What was met and left out for a reason the user may not expect. */
  readonly notes: readonly string[];
}

/** The project's own files: what its .gitignore leaves, as git sees it where there is git. */
export async function listProject(root: string, env: HostEnv): Promise<Listing> {
  const notes: string[] = [];
  const found = await listRepository(root, "", { env, notes });
  return { found, notes };
}

/** Lists a project; each is listed once, so that what was counted is what is copied. */
export type ListProject = (root: string) => Promise<Listing>;

export function projectLister(env: HostEnv): ListProject {
  const listings = new Map<string, Promise<Listing>>();
  return (root) => {
    const found = listings.get(root) ?? listProject(root, env);
    listings.set(root, found);
    return found;
  };
}

/** Every file, link and directory below `root` but repositories' own. */
export async function listTree(root: string): Promise<Listing> {
  const notes: string[] = [];
  const found = await walk({ root, ignores: false, notes }, "", NO_RULES);
  return { found, notes };
}

/** Never a project's own content, wherever they lie: history, installed packages, earlier results. */
const LEFT_OUT = new Set([".git", "node_modules", ".assay", ".clauditor"]);

async function listRepository(
  root: string,
  prefix: string,
  context: { readonly env: HostEnv; readonly notes: string[] },
): Promise<Found[]> {
  const names = await gitFiles(path.join(root, prefix), context.env);
  if (names === null) {
    const found = await walk({ root, ignores: true, notes: context.notes }, prefix, NO_RULES);
    return found.filter((entry) => entry.kind !== "directory");
  }
  const relatives = names
    .filter((name) => !name.split("/").some((part) => LEFT_OUT.has(part)))
    .map((name) => (prefix === "" ? name : `${prefix}/${name}`));
  const kinds = new Map<string, Found["kind"] | null>();
  await inParallel(relatives, async (relative) => {
    kinds.set(relative, await kindOf(root, relative, context.notes));
  });
  const found: Found[] = [];
  for (const relative of relatives) {
    const kind = kinds.get(relative) ?? null;
    // A submodule, or a repository within: listed by its own git.
    if (kind === "directory")
      found.push(...(await listRepository(root, relative.replace(/\/$/u, ""), context)));
    else if (kind !== null) found.push({ path: relative, kind });
  }
  return found;
}

interface Walk {
  readonly root: string;
  /** Keep to .gitignore and leave out what is never a project's own. */
  readonly ignores: boolean;
  readonly notes: string[];
}

async function walk(context: Walk, directory: string, outer: IgnoreRules): Promise<Found[]> {
  const { root, ignores, notes } = context;
  let entries;
  try {
    entries = await readdir(path.join(root, directory), { withFileTypes: true });
  } catch (error) {
    notes.push(`${directory || "."} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
    return [];
  }
  const rules = ignores ? outer.with(directory, await ignoreFile(root, directory)) : outer;
  const found: Found[] = [];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const relative = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (ignores ? LEFT_OUT.has(entry.name) : entry.name === ".git") continue;
    if (ignores && rules.ignores(relative, entry.isDirectory())) continue;
    if (entry.isDirectory()) {
      found.push({ path: relative, kind: "directory" });
      found.push(...(await walk(context, relative, rules)));
    } else {
      const kind = await kindOf(root, relative, notes);
      if (kind !== null) found.push({ path: relative, kind });
    }
  }
  return found;
}

function ignoreFile(root: string, directory: string): Promise<string> {
  return readFile(path.join(root, directory, ".gitignore"), "utf8").catch(() => "");
}

/** Null, with a note where that is of interest, for what cannot be staged. */
async function kindOf(root: string, relative: string, notes: string[]): Promise<Found["kind"] | null> {
  try {
    const stats = await lstat(path.join(root, relative));
    if (stats.isFile()) return "file";
    if (stats.isSymbolicLink()) return "link";
    if (stats.isDirectory()) return "directory";
    notes.push(`${relative} is neither a file nor a directory and was left out`);
  } catch {
    if (relative.includes("\uFFFD")) notes.push(`${relative} has a name that is not UTF-8 and was left out`);
  }
  return null;
}
