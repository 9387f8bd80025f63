import { constants, copyFile, lstat, mkdir, readlink } from "node:fs/promises";
import { mkdirSync } from "node:fs";
import path from "node:path";

import type { CutEvidence, FileChange } from "../../domain/run.ts";
import { fileHash } from "../../lib/tree-hash.ts";
import { type Changes, findChanges, type Touched } from "./changes.ts";
import { isAtOrBelow } from "./layer.ts";
import { originalAt, originalsBelow } from "./originals.ts";
import type { Staged } from "./stage.ts";

/** How much of what a run made is kept; the rest is listed or counted, and a note says so. */
export interface CaptureLimits {
  readonly files: number;
  readonly bytesPerFile: number;
  readonly bytes: number;
  /** Beyond this, changes are counted and no longer listed. */
  readonly listed: number;
}

export const DEFAULT_LIMITS: CaptureLimits = {
  files: 2_000,
  bytesPerFile: 20 * 1024 * 1024,
  bytes: 200 * 1024 * 1024,
  listed: 20_000,
};

/** What the author stages is kept although it is large, but a run may have made it larger still. */
const INPUT_LIMITS = { bytesPerFile: 256 * 1024 * 1024, bytes: 1024 * 1024 * 1024 };

export interface CaptureOptions {
  /** Absolute directory for what was created or modified, at its path in the workspace. */
  readonly outputs: string;
  /** Absolute directory for the fixtures as the run left them; null: they are not kept. */
  readonly inputs: string | null;
  /** Absolute directory for what the run modified or deleted, as it was; absent or null: it is not kept. */
  readonly before?: string | null;
  readonly limits?: CaptureLimits;
}

export interface Captured {
  readonly changes: readonly FileChange[];
  /** Everything touched, uncapped, for whoever reads the workspace before it is disposed of. */
  readonly touched: readonly Touched[];
  readonly notes: readonly string[];
  readonly cut: readonly CutEvidence[];
}

/** Copies what the run changed out of the workspace. Links are recorded, never followed. */
export async function captureChanges(staged: Staged, options: CaptureOptions): Promise<Captured> {
  const found = await findChanges(staged);
  const keeper = new Keeper(options.limits ?? DEFAULT_LIMITS);
  const changes: FileChange[] = [];
  mkdirSync(options.outputs, { recursive: true });
  for (const touched of found.touched) {
    if (touched.change === "rewritten") continue;
    if (changes.length < keeper.limits.listed) changes.push(await keeper.change(touched, options.outputs));
    else keeper.unlisted++;
  }
  const inputs = new Keeper({ ...keeper.limits, ...INPUT_LIMITS });
  if (options.inputs !== null) await keepInputs(staged, found, options.inputs, inputs);
  const before = new Keeper(keeper.limits);
  if (typeof options.before === "string") await keepBefore(staged, found, options.before, before);
  const ofBefore = before.notes().map((note) => `before the run: ${note}`);
  const ofInputs = inputs.notes().map((note) => `inputs: ${note}`);
  return {
    changes,
    touched: found.touched,
    notes: [...found.notes, ...keeper.notes(), ...ofInputs, ...ofBefore],
    cut: [...keeper.cut(), ...found.cut],
  };
}

/**
 * Where the content of a workspace path lies below `outputs`: at the same path, but for the one name that the layout of
 * result folders has taken and those that it makes way to.
 */
export function outputPath(relative: string): string {
  return relative.replace(/^metrics((?:\.workspace)*)\.json(?=\/|$)/, "metrics$1.workspace.json");
}

/** The skill's own files that the run changed; empty when the copy under test is as it was staged. */
export function skillChanges(staged: Staged, touched: readonly Touched[]): readonly string[] {
  const { skill } = staged;
  if (skill === null) return [];
  return touched
    .filter((one) => one.change !== "rewritten" && isAtOrBelow(one.path, skill.realPath))
    .map((one) => one.path);
}

class Keeper {
  readonly limits: CaptureLimits;
  unlisted = 0;
  #files = 0;
  #bytes = 0;
  #tooMany = 0;
  readonly #large: string[] = [];
  readonly #other: string[] = [];

  constructor(limits: CaptureLimits) {
    this.limits = limits;
  }

  async change(touched: Touched, outputs: string): Promise<FileChange> {
    const { path: relative, change, kind, host, bytes } = touched;
    const head = { path: relative, change, bytes } as FileChange;
    if (change === "deleted") return { ...head, sha256: null, captured: false };
    if (kind !== "file") {
      const what = kind === "link" ? `a link to ${await readlink(host)}` : "neither a file nor a directory";
      this.#other.push(`${relative} is ${what}; it was recorded, not captured`);
      return { ...head, sha256: null, captured: false };
    }
    const sha256 = bytes > this.limits.bytesPerFile ? null : await fileHash(host).catch(() => null);
    const captured = await this.keep(host, path.join(outputs, outputPath(relative)), { relative, bytes });
    return { ...head, sha256, captured };
  }

  /** Copies the file unless a limit is reached; what cannot be read is not captured either. */
  async keep(host: string, to: string, file: { relative: string; bytes: number }): Promise<boolean> {
    if (file.bytes > this.limits.bytesPerFile) {
      this.#large.push(file.relative);
      return false;
    }
    if (this.#files >= this.limits.files || this.#bytes + file.bytes > this.limits.bytes) {
      this.#tooMany++;
      return false;
    }
    try {
      await mkdir(path.dirname(to), { recursive: true });
      await copyFile(host, to, constants.COPYFILE_FICLONE);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC" || code === "EDQUOT") throw error;
      this.#other.push(`${file.relative} could not be captured: ${code ?? "unknown"}`);
      return false;
    }
    this.#files++;
    this.#bytes += file.bytes;
    return true;
  }

  cut(): readonly CutEvidence[] {
    if (this.unlisted === 0) return [];
    return [
      {
        of: "files",
        reason: `${this.unlisted} changes of files beyond ${this.limits.listed} are not listed`,
      },
    ];
  }

  notes(): readonly string[] {
    const { limits } = this;
    const notes = this.#other.slice(0, MOST_NOTES);
    if (this.#other.length > MOST_NOTES) notes.push(`and ${this.#other.length - MOST_NOTES} more like these`);
    for (const relative of this.#large.slice(0, MOST_NOTES)) {
      notes.push(`${relative} is larger than ${limits.bytesPerFile} bytes and was not captured`);
    }
    if (this.#large.length > MOST_NOTES) {
      notes.push(`${this.#large.length - MOST_NOTES} more files are larger than that and were not captured`);
    }
    if (this.#tooMany > 0) {
      notes.push(
        `${this.#tooMany} files were not captured: at most ${limits.files} files and ${limits.bytes} bytes are kept of one run`,
      );
    }
    if (this.unlisted > 0) {
      notes.push(`${this.unlisted} changes are not listed: at most ${limits.listed} are for one run`);
    }
    return notes;
  }
}

const MOST_NOTES = 20;

/** The fixtures, whether touched or not, as the run left them. */
async function keepInputs(staged: Staged, found: Changes, inputs: string, keeper: Keeper): Promise<void> {
  const touched = new Map(found.touched.map((one) => [one.path, one]));
  for (const relative of inputFiles(staged, found)) {
    const now = touched.get(relative);
    const host = now?.host ?? originalAt(staged, relative)?.host;
    if (host === undefined || now?.change === "deleted" || (now !== undefined && now.kind !== "file"))
      continue;
    const stats = await lstat(host);
    if (stats.isFile()) await keeper.keep(host, path.join(inputs, relative), { relative, bytes: stats.size });
  }
}

/** Without it nobody could say what the run did to a file that it was given. */
async function keepBefore(staged: Staged, found: Changes, folder: string, keeper: Keeper): Promise<void> {
  for (const { path: relative, change } of found.touched) {
    const original = change === "modified" || change === "deleted" ? originalAt(staged, relative) : null;
    if (original?.kind !== "file") continue;
    const { size } = await lstat(original.host);
    await keeper.keep(original.host, path.join(folder, relative), { relative, bytes: size });
  }
}

/** A fixture may be a directory: then all that was in it, and all that is. */
function inputFiles(staged: Staged, found: Changes): ReadonlySet<string> {
  const files = new Set<string>();
  for (const target of staged.inputs) {
    for (const relative of originalsBelow(staged, target)) files.add(relative);
    for (const one of found.touched) if (isAtOrBelow(one.path, target)) files.add(one.path);
  }
  return files;
}
