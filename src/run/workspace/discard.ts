import { execFile } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes what is no longer needed while the runner does other things, many at a time. Nothing depends on it: what is
 * left at the end goes with the run root, and what a killed runner leaves is swept by the next.
 */
export class Discards {
  readonly #folder: string;
  readonly #waiting: string[] = [];
  #working: Promise<void> | null = null;
  #serial = 0;

  /** `folder` lies in the run root. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** The path is free again at once. */
  readonly add = (path: string): void => {
    const aside = join(this.#folder, String(this.#serial++));
    renameSync(path, aside);
    this.#waiting.push(aside);
    if (this.#waiting.length >= AT_ONCE) this.#working ??= this.#work();
  };

  /** Resolves when nothing is being removed. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length >= AT_ONCE) await remove(this.#waiting.splice(0, AT_ONCE * 4));
    this.#working = null;
  }
}

/** Few enough to keep the disk clear, enough to make a process worth its while. */
const AT_ONCE = 16;

function remove(paths: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    execFile("rm", ["-rf", "--", ...paths], { env: { PATH: "/usr/bin:/bin" } }, () => resolve());
  });
}
