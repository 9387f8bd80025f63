import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import path from "node:path";

export interface TreeHashOptions {
  /** Leaves out an entry (and all below it); the path is relative, with forward slashes. */
  readonly skip?: (path: string) => boolean;
  /** Ends the reading, also in the middle of a file; the promise rejects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One sha256 for what a directory holds: paths, contents, executable bits and link targets. Times, owners, other mode
 * bits, empty directories and files that are neither regular nor links do not count. A file hashes as itself.
 */
export async function treeHash(root: string, options: TreeHashOptions = {}): Promise<string> {
  return (await hashedTree(root, options)).hash;
}

export interface HashedTree {
  readonly hash: string;
  /** The same file by file, by relative path; equal trees have equal entries. */
  readonly files: Readonly<Record<string, string>>;
}

/** Reads every file once. */
export async function hashedTree(root: string, options: TreeHashOptions = {}): Promise<HashedTree> {
  const hash = createHash("sha256");
  const files: Record<string, string> = {};
  for (const entry of await listed(root, "", options.skip ?? (() => false))) {
    const described = await describeEntry(path.join(root, entry), options.signal);
    if (described === null) continue;
    hash.update(`${described}\0${Buffer.byteLength(entry)}\0${entry}\0`);
    files[entry] = short(described);
  }
  return { hash: hash.digest("hex"), files };
}

/** Enough of a digest to tell the contents of one path apart. */
export function short(described: string): string {
  return createHash("sha256").update(described).digest("hex").slice(0, 16);
}

/** sha256 of a file's bytes. */
export async function fileHash(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) {
    signal?.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  return hash.digest("hex");
}

/** Every entry that is no directory, in an order that does not depend on the file system. */
async function listed(
  root: string,
  relative: string,
  skip: (path: string) => boolean,
): Promise<readonly string[]> {
  const here = path.join(root, relative);
  if (relative === "" && !(await lstat(here)).isDirectory()) return [""];
  const entries = await readdir(here, { withFileTypes: true });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const at = relative === "" ? entry.name : `${relative}/${entry.name}`;
    if (skip(at)) continue;
    if (entry.isDirectory()) found.push(...(await listed(root, at, skip)));
    else found.push(at);
  }
  return found;
}

/** What one entry is and holds, as a word; null for what does not count. */
export async function describeEntry(file: string, signal?: AbortSignal): Promise<string | null> {
  signal?.throwIfAborted();
  const stats = await lstat(file);
  if (stats.isSymbolicLink()) {
    return linkTo(await readlink(file));
  }
  if (!stats.isFile()) return null;
  return `${(stats.mode & 0o111) === 0 ? "file" : "program"} ${await fileHash(file, signal)}`;
}

/** How a link with this target is described. */
export function linkTo(target: string): string {
  return `link ${createHash("sha256").update(target).digest("hex")}`;
}
