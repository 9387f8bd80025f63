import { lutimesSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { copyFile, constants, readlink, unlink } from "node:fs/promises";
import path from "node:path";

import { removeTree } from "./remove.ts";

export type EntryKind = "directory" | "file" | "link";

/** What a directory holds, by relative path with forward slashes; directories come before what is in them. */
export type Entries = ReadonlyMap<string, EntryKind>;

/**
 * Every staged file bears this time, so that listings are the same on every machine and whatever bears another was
 * touched by the run. Git's dates in a trial are the same instant.
 */
export const PINNED_DATE = "2025-01-01T00:00:00Z";
export const PINNED_TIME = new Date(PINNED_DATE);

export interface CopyOptions {
  /** Other targets for links, by path. */
  readonly links?: ReadonlyMap<string, string>;
  /** Told of files that may not be read or are gone; without it they are an error. */
  readonly unreadable?: (relative: string, code: string) => void;
}

/** A directory being filled; whatever is put in last wins, also over something of another kind. */
export class Layer {
  readonly root: string;
  readonly #entries: Map<string, EntryKind>;

  constructor(root: string, entries: Entries = new Map()) {
    this.root = root;
    this.#entries = new Map(entries);
  }

  get entries(): Entries {
    return this.#entries;
  }

  at(relative: string): string {
    return path.join(this.root, relative);
  }

  async directory(relative: string): Promise<void> {
    if (relative === "" || this.#entries.get(relative) === "directory") return;
    await this.#makeRoom(relative);
    mkdirSync(this.at(relative));
    this.#entries.set(relative, "directory");
  }

  /** Puts a copy of the file at `source`; shares its blocks where the file system can. */
  async file(relative: string, source: string): Promise<void> {
    await this.#makeRoom(relative);
    await copyFile(source, this.at(relative), constants.COPYFILE_FICLONE);
    await this.#settle(relative);
  }

  async text(relative: string, content: string, mode = 0o644): Promise<void> {
    await this.#makeRoom(relative);
    writeFileSync(this.at(relative), content, { mode });
    await this.#settle(relative);
  }

  async link(relative: string, target: string): Promise<void> {
    await this.#makeRoom(relative);
    symlinkSync(target, this.at(relative));
    this.#entries.set(relative, "link");
    lutimesSync(this.at(relative), PINNED_TIME, PINNED_TIME);
  }

  /** Takes the entry and all below it out. */
  async remove(relative: string): Promise<void> {
    const kind = this.#entries.get(relative);
    if (kind === undefined) return;
    if (kind === "directory") await removeTree(this.at(relative));
    else await unlink(this.at(relative));
    this.#entries.delete(relative);
    if (kind !== "directory") return;
    for (const entry of this.#entries.keys()) {
      if (entry.startsWith(`${relative}/`)) this.#entries.delete(entry);
    }
  }

  /** Copies entries of `from`, a few at a time; their paths are the same in both. */
  async copy(from: string, entries: Entries, options: CopyOptions = {}): Promise<void> {
    const rest: [string, EntryKind][] = [];
    for (const [relative, kind] of entries) {
      if (kind === "directory") await this.directory(relative);
      else rest.push([relative, kind]);
    }
    await inParallel(rest, async ([relative, kind]) => {
      const source = path.join(from, relative);
      if (kind === "link")
        return this.link(relative, options.links?.get(relative) ?? (await readlink(source)));
      try {
        await this.file(relative, source);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const tolerated = code === "EACCES" || code === "EPERM" || code === "ENOENT";
        if (!tolerated || options.unreadable === undefined) throw error;
        options.unreadable(relative, code);
      }
    });
  }

  /** Gives the directories the pinned time, once nothing more is put in. */
  async seal(): Promise<void> {
    for (const [relative, kind] of this.#entries) {
      if (kind === "directory" && !isGitPath(relative))
        utimesSync(this.at(relative), PINNED_TIME, PINNED_TIME);
    }
    utimesSync(this.root, PINNED_TIME, PINNED_TIME);
  }

  async #settle(relative: string): Promise<void> {
    this.#entries.set(relative, "file");
    if (!isGitPath(relative)) utimesSync(this.at(relative), PINNED_TIME, PINNED_TIME);
  }

  async #makeRoom(relative: string): Promise<void> {
    const parent = parentOf(relative);
    if (parent !== "" && this.#entries.get(parent) !== "directory") await this.directory(parent);
    if (this.#entries.has(relative)) await this.remove(relative);
  }
}

/** "" for what lies at the top. */
export function parentOf(relative: string): string {
  const slash = relative.lastIndexOf("/");
  return slash < 0 ? "" : relative.slice(0, slash);
}

/** The workspace's own repository. Git re-reads every file that is not older than its index, so that stays younger. */
export function isGitPath(relative: string): boolean {
  return isAtOrBelow(relative, ".git");
}

export function isAtOrBelow(relative: string, directory: string): boolean {
  return directory === "" || relative === directory || relative.startsWith(`${directory}/`);
}

/** Runs `act` on every value, a few at a time; the first rejection stops the rest. */
export async function inParallel<T>(values: readonly T[], act: (value: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < values.length) {
      const value = values[next++] as T;
      try {
        await act(value);
      } catch (error) {
        next = values.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}

/** As many as node has threads for files; more only wait. */
const WIDTH = 4;
