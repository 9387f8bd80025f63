import { execFile } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { freeBytes } from "../../lib/free-bytes.ts";

/**
 * Removes what is no longer needed while the runner does other things, many at a time. Nothing depends on it: what is
 * left at the end goes with the run root, and what a killed runner leaves is swept by the next.
 */
export class Discards {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #waiting: string[] = [];
  #working: Promise<void> | null = null;
  #serial = 0;
  #freeBefore: number;

  /** `folder` lies in the run root. */
  constructor(folder: string, mostBytes: number = MOST_BYTES) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    mkdirSync(folder, { recursive: true });
    this.#freeBefore = freeBytes(folder);
  }

  /** The path is free again at once. */
  readonly add = (path: string): void => {
    const aside = join(this.#folder, String(this.#serial++));
    renameSync(path, aside);
    this.#waiting.push(aside);
    if (this.#isDue()) this.#working ??= this.#work();
  };

  /** Resolves when nothing is being removed. */
  async settled(): Promise<void> {
    await this.#working;
  }

  /**
   * Small things can wait: some file systems pass over every file that was removed lately, one by one, whenever they make
   * a new one.
   */
  #isDue(): boolean {
    if (this.#waiting.length >= AT_ONCE) return true;
    return this.#freeBefore - freeBytes(this.#folder) > this.#mostBytes;
  }

  async #work(): Promise<void> {
    while (this.#isDue() && this.#waiting.length > 0) {
      await remove(this.#waiting.splice(0));
      this.#freeBefore = freeBytes(this.#folder);
    }
    this.#working = null;
  }
}

const AT_ONCE = 256;
/** So much less is free than after the last removal, whoever took it. */
const MOST_BYTES = 256 * 1024 * 1024;

function remove(paths: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const options = { env: { PATH: "/usr/bin:/bin" } };
    execFile("sh", ["-c", REMOVE, "sh", ...paths], options, () => resolve());
  });
}

/** The work directory of an overlay, and whatever else may not be listed, is opened up where that is needed. */
const REMOVE = `rm -rf -- "$@" 2>/dev/null || { chmod -R u+rwx -- "$@"; rm -rf -- "$@"; }`;
