import { lstat, open, readlink } from "node:fs/promises";
import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

import type { CutEvidence } from "../../domain/run.ts";
import { isGitPath, parentOf, PINNED_TIME } from "./layer.ts";
import { type Original, originalAt, originalsBelow } from "./originals.ts";
import { missingFrom } from "./overlay-view.ts";
import type { Staged } from "./stage.ts";

/** What the agent did to one path. */
export interface Touched {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  /** `rewritten`: written anew with the content it had. */
  readonly change: "created" | "modified" | "deleted" | "rewritten";
  readonly kind: "file" | "link" | "special";
  /** Absolute path of what is there now; of what was there for a deleted one. */
  readonly host: string;
  readonly bytes: number;
  /** Whoever starts it would run it as its owner or group. */
  readonly runsAsOwner?: true;
}

export interface Changes {
  /** In path order. */
  readonly touched: readonly Touched[];
  readonly notes: readonly string[];
  /** Where something may have changed unseen. */
  readonly cut: readonly CutEvidence[];
}

/**
 * Everything created, modified or deleted since staging. No name is too hidden to count: what a skill writes to
 * `.claude/` is its work like any other. Left out are only repositories' own folders, and folders of installed packages
 * and caches that the run itself made, each with a note. To be asked once the agent's processes are gone.
 */
export async function findChanges(staged: Staged): Promise<Changes> {
  const search: Search = { staged, touched: [], notes: [], cut: [] };
  const { workspace } = staged.ground;
  if (workspace.kind === "overlay") await searchOverlay(search, workspace.upper);
  else await searchDirectory(search, workspace.path);
  search.touched.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { touched: search.touched, notes: search.notes, cut: search.cut };
}

interface Search {
  readonly staged: Staged;
  readonly touched: Touched[];
  readonly notes: string[];
  readonly cut: CutEvidence[];
}

/** An upper directory holds exactly what was written; a character device 0/0 marks what was deleted. */
async function searchOverlay(search: Search, upper: string): Promise<void> {
  const merged: string[] = [];
  const present = new Set<string>();
  await visit(search, upper, "", async (relative, stats) => {
    present.add(relative);
    const original = originalAt(search.staged, relative);
    if (stats.isCharacterDevice() && stats.rdev === 0n) return addDeletedBelow(search, relative);
    if (stats.isDirectory()) {
      if (original?.kind === "directory") merged.push(relative);
      else if (original !== null) await addDeleted(search, relative, original);
      return;
    }
    if (original?.kind === "directory") await addDeletedBelow(search, relative);
    await compare(search, relative, path.join(upper, relative), stats);
  });
  const missing = await missingFrom(search.staged, merged);
  if (missing === null) {
    unseen(search, "files deleted together with their directory may be missing from the list of changes");
  }
  for (const relative of missing ?? []) if (!present.has(relative)) await addDeletedBelow(search, relative);
  await addDeletedOfSetup(search, present);
}

/** What setup had made leaves no mark in the upper directory when it goes; what it had replaced does, and is known by now. */
async function addDeletedOfSetup(search: Search, present: ReadonlySet<string>): Promise<void> {
  const known = new Set(search.touched.map(({ path: relative }) => relative));
  for (const relative of search.staged.setup?.entries.keys() ?? []) {
    const original =
      present.has(relative) || known.has(relative) ? null : originalAt(search.staged, relative);
    if (original !== null) await addDeleted(search, relative, original);
  }
}

async function searchDirectory(search: Search, root: string): Promise<void> {
  const present = new Set<string>();
  const { doneNs, directories } = search.staged;
  const inPlace = new Set([""]);
  await visit(search, root, "", async (relative, stats) => {
    if (stats.isDirectory()) {
      if (directories.get(relative) === stats.ino) inPlace.add(relative);
      return;
    }
    present.add(relative);
    // The change time cannot be set by a program, the pinned one is not set by accident; a directory that was moved
    // takes its files along as they are.
    const untouched = stats.ctimeNs < doneNs && stats.mtimeMs === BigInt(PINNED_TIME.getTime());
    if (!untouched || !inPlace.has(parentOf(relative)))
      await compare(search, relative, path.join(root, relative), stats);
  });
  for (const relative of originalsBelow(search.staged, "")) {
    if (isGitPath(relative) || present.has(relative)) continue;
    const original = originalAt(search.staged, relative);
    if (original !== null) await addDeleted(search, relative, original);
  }
}

type Visitor = (relative: string, stats: BigIntStats) => Promise<void>;

async function visit(search: Search, root: string, directory: string, see: Visitor): Promise<void> {
  const { staged } = search;
  let names: string[];
  try {
    names = readdirSync(path.join(root, directory));
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    unseen(search, `${directory || "."} cannot be read: ${code}`, directory);
    return;
  }
  for (const name of names) {
    const relative = directory === "" ? name : `${directory}/${name}`;
    const stats = look(path.join(root, relative));
    if (stats === null) {
      const reason = `a file in ${directory || "."} cannot be inspected or has a name that is not UTF-8; it was left out`;
      unseen(search, reason, directory);
      continue;
    }
    if (name === ".git" || (stats.isDirectory() && BULK.has(name) && originalAt(staged, relative) === null)) {
      const reason = `${relative} was made by the run; what is in it was left out`;
      if (relative !== ".git") unseen(search, reason, relative);
      continue;
    }
    await see(relative, stats);
    if (stats.isDirectory()) await visit(search, root, relative, see);
  }
}

function unseen({ notes, cut }: Search, reason: string, below = ""): void {
  notes.push(reason);
  cut.push({ of: "files", reason, ...(below !== "" && { below }) });
}

/** Ten times faster than asking one by one without blocking, and there may be tens of thousands. */
function look(file: string): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true });
  } catch {
    return null;
  }
}

/** Made by package managers and interpreters from what else is there, often by the ten thousand. */
const BULK = new Set(["node_modules", "__pycache__", ".venv"]);

async function compare(search: Search, relative: string, host: string, stats: BigIntStats): Promise<void> {
  if (isAsSetupLeft(search.staged, relative, stats)) return;
  const before = originalAt(search.staged, relative);
  const original = before?.kind === "directory" ? null : before;
  const kind = stats.isFile() ? "file" : stats.isSymbolicLink() ? "link" : "special";
  const change = original === null ? "created" : await changeOf(original, kind, host, stats);
  const runsAsOwner = kind === "file" && (stats.mode & 0o6000n) !== 0n;
  search.touched.push({
    path: relative,
    change,
    kind,
    host,
    bytes: Number(stats.size),
    ...(runsAsOwner && { runsAsOwner }),
  });
}

/** No program can set a change time. */
function isAsSetupLeft({ setup }: Staged, relative: string, { ctimeNs }: BigIntStats): boolean {
  return setup?.entries.has(relative) === true && ctimeNs < setup.doneNs;
}

async function changeOf(
  original: Original,
  kind: Touched["kind"],
  host: string,
  stats: BigIntStats,
): Promise<"modified" | "rewritten"> {
  if (original.kind !== kind) return "modified";
  if (kind === "link") {
    return (await readlink(original.host)) === (await readlink(host)) ? "rewritten" : "modified";
  }
  const before = await lstat(original.host, { bigint: true });
  const isProgram = (mode: bigint): boolean => (mode & 0o111n) !== 0n;
  if (before.size !== stats.size || isProgram(before.mode) !== isProgram(stats.mode)) return "modified";
  return (await sameBytes(original.host, host)) ? "rewritten" : "modified";
}

/** Of two files of the same size. A file that may not be read counts as changed. */
async function sameBytes(left: string, right: string): Promise<boolean> {
  try {
    await using one = await open(left);
    await using other = await open(right);
    const chunks = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const;
    for (;;) {
      const first = await one.read(chunks[0], 0, CHUNK);
      const second = await other.read(chunks[1], 0, CHUNK);
      if (first.bytesRead !== second.bytesRead) return false;
      if (first.bytesRead === 0) return true;
      if (!chunks[0].subarray(0, first.bytesRead).equals(chunks[1].subarray(0, first.bytesRead)))
        return false;
    }
  } catch {
    return false;
  }
}

const CHUNK = 64 * 1024;

async function addDeletedBelow(search: Search, at: string): Promise<void> {
  const whole = originalAt(search.staged, at);
  if (whole !== null && whole.kind !== "directory") return addDeleted(search, at, whole);
  for (const relative of originalsBelow(search.staged, at)) {
    const original = originalAt(search.staged, relative);
    if (original !== null) await addDeleted(search, relative, original);
  }
}

async function addDeleted(search: Search, relative: string, original: Original): Promise<void> {
  if (isGitPath(relative)) return;
  const { size } = await lstat(original.host);
  const kind = original.kind === "link" ? "link" : "file";
  search.touched.push({ path: relative, change: "deleted", kind, host: original.host, bytes: size });
}
