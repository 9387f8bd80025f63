import type { Excess } from "../../domain/limits.ts";

/** A program to start: nothing is inherited, so `env` is the whole environment. */
export interface Command {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the program reads on standard input; it goes through a file, so size does not matter. */
  readonly stdin: string;
}

/** How a supervised program came to its end. */
export type Ending =
  | { readonly kind: "exited"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  /** Our deadline passed and the whole tree was stopped. */
  | { readonly kind: "timed-out" }
  /** The reader of its output had seen enough. */
  | { readonly kind: "stopped" }
  /** It used more than it may, and the whole tree was stopped. */
  | { readonly kind: "over-limit"; readonly excess: Excess }
  /** There was no space left where it writes, and the whole tree was stopped. */
  | { readonly kind: "disk-full"; readonly folder: string }
  /** The caller's signal fired. */
  | { readonly kind: "aborted" }
  /** The program could not be started at all. */
  | { readonly kind: "not-started"; readonly reason: string };

export interface Supervised {
  readonly ending: Ending;
  readonly durationMs: number;
  /** The end of standard error, bounded. */
  readonly stderrTail: string;
  /** Names of programs that were still running when it had ended, and were ended. */
  readonly left: readonly string[];
  /** What the caller should know: output cut at a cap, processes that had to be hunted down. */
  readonly notes: readonly string[];
  /** Lines of its output that were too long to be delivered whole; absent: none. */
  readonly cutLines?: number;
}
