import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { type IgnoreRules, NO_RULES } from "../../lib/gitignore.ts";
import { memo } from "../../lib/memo.ts";
import { gitFiles, gitIgnored, type HostEnv } from "./git.ts";
import { inParallel } from "./layer.ts";
import { notForAgents } from "./not-for-agents.ts";

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
  /** What git ignores and nobody asked for; a directory ends with a slash and stands for all in it. */
  readonly ignored: readonly string[];
}

/**
 * The project's own files: what its .gitignore leaves, as git sees it where there is git, and what `include` (patterns as
 * in a .gitignore) names beyond that. Evals and reports are not among them.
 */
async function listProject(
  root: string,
  { env, include, signal }: { env: HostEnv; include: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Listing> {
  const context = { env, notes: [], ignored: [], signal };
  const own = await listRepository(root, "", context);
  const wanted = await listIncluded(root, context, NO_RULES.with("", include.join("\n")));
  const all = [...own, ...wanted.found];
  const isBarred = await notForAgents(root, all);
  const found = all.filter((entry) => !isBarred(entry.path));
  const notes = [...context.notes, ...include.flatMap((pattern) => unmatched(pattern, found))];
  return { found, notes, ignored: wanted.left };
}

/** A pattern that names nothing is a slip more often than not. */
function unmatched(pattern: string, found: readonly Found[]): readonly string[] {
  const rules = NO_RULES.with("", pattern);
  const isUsed = pattern.startsWith("!") || found.some((entry) => rules.ignores(entry.path, false));
  return isUsed ? [] : [`--include ${pattern} matches no file of the project that agents may see`];
}

interface Context {
  readonly env: HostEnv;
  readonly notes: string[];
  readonly ignored: string[];
  readonly signal: AbortSignal | undefined;
}

async function listIncluded(
  root: string,
  { ignored, notes, signal }: Context,
  rules: IgnoreRules,
): Promise<{ found: readonly Found[]; left: readonly string[] }> {
  const found: Found[] = [];
  const left: string[] = [];
  for (const entry of ignored.filter((name) => !NEVER.has(name.split("/").at(-2) ?? name))) {
    const isDirectory = entry.endsWith("/");
    const relative = isDirectory ? entry.slice(0, -1) : entry;
    if (!rules.ignores(relative, isDirectory)) left.push(entry);
    if (rules === NO_RULES) continue;
    const kind = isDirectory ? null : await kindOf(root, relative, notes);
    const entries = isDirectory
      ? await walk({ root, ignores: false, notes, ignored: [], signal }, relative, NO_RULES)
      : kind === null
        ? []
        : [{ path: relative, kind }];
    const isWanted = (one: Found) =>
      one.kind !== "directory" &&
      rules.ignores(one.path, false) &&
      !one.path.split("/").some((part) => NEVER.has(part));
    found.push(...entries.filter(isWanted));
  }
  return { found, left };
}

/** Lists a project; each is listed once, so that what was counted is what is copied. Rejects once its signal fires. */
export type ListProject = (root: string) => Promise<Listing>;

export function projectLister(
  env: HostEnv,
  include: readonly string[] = [],
  signal?: AbortSignal,
): ListProject {
  return memo((root) => listProject(root, { env, include, signal }));
}

/** Every file, link and directory below `root` but repositories' own. */
export async function listTree(root: string): Promise<Listing> {
  const notes: string[] = [];
  const found = await walk({ root, ignores: false, notes, ignored: [], signal: undefined }, "", NO_RULES);
  return { found, notes, ignored: [] };
}

/** Nobody can ask for these: history and earlier results. */
const NEVER = new Set([".git", ".assay", ".clauditor"]);
/** Never a project's own content, wherever they are; installed packages come along only when they are asked for. */
const LEFT_OUT = new Set([...NEVER, "node_modules"]);

async function listRepository(root: string, prefix: string, context: Context): Promise<Found[]> {
  const [names, ignored] = await Promise.all([
    gitFiles(path.join(root, prefix), context.env),
    gitIgnored(path.join(root, prefix), context.env),
  ]);
  if (names === null) {
    const found = await walk({ ...context, root, ignores: true }, prefix, NO_RULES);
    return found.filter((entry) => entry.kind !== "directory");
  }
  for (const name of ignored) context.ignored.push(prefix === "" ? name : `${prefix}/${name}`);
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
  readonly ignored: string[];
  readonly signal: AbortSignal | undefined;
}

async function walk(context: Walk, directory: string, outer: IgnoreRules): Promise<Found[]> {
  const { root, ignores, notes, signal } = context;
  signal?.throwIfAborted();
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
    const isIgnored = ignores && rules.ignores(relative, entry.isDirectory());
    if (isIgnored) context.ignored.push(entry.isDirectory() ? `${relative}/` : relative);
    if (isIgnored || (ignores ? LEFT_OUT.has(entry.name) : entry.name === ".git")) continue;
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
