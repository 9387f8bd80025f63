import type { Diagnostic, Location } from "./domain/diagnostic.ts";

/** All that an operation may ask of its surroundings. A door makes one; tests make their own. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; relative paths in options start here. */
  readonly cwd: string;
  /** The user's home directory, absolute. */
  readonly home: string;
  readonly now: () => Date;
  /** Absolute paths of files that this call writes, such as reports; no agent sees them, no digest counts them. Absent: none. */
  readonly outputs?: readonly string[];
  /** Something the user should know. It is never the result, and it never stops the work. */
  readonly note: (note: Note) => void;
  /** Asks the user; null where nobody can answer. */
  readonly consent: (question: ConsentQuestion) => Promise<boolean | null>;
}

/** A sentence, a problem that has a place in a file, or what is about to run and cost. */
export type Note = string | Diagnostic | AboutToRun;

/** Said once, before the first trial. What is unknown is null, and what there is none of is empty. */
export interface AboutToRun {
  readonly kind: "about-to-run";
  readonly skills: readonly string[];
  /** With their versions. */
  readonly agents: readonly string[];
  /** Empty: the agents' own defaults. */
  readonly models: readonly string[];
  /** How judges are reached. Empty: no check needs one, or nothing is graded yet. */
  readonly judges: readonly string[];
  readonly sandboxes: readonly string[];
  readonly trials: number;
  /** At most so many more, for trigger queries that stay unsettled; `minutes` and `costUsd` are without them. */
  readonly repeats: number;
  readonly concurrency: number;
  readonly minutes: number | null;
  readonly costUsd: number | null;
}

/** What a user must agree to before it happens. Whoever asks shows all of it. */
export type ConsentQuestion =
  | { readonly kind: "run-scripts"; readonly scripts: readonly UntrustedScript[] }
  /** What the security scan found in skills that are about to run for the first time; all of it is of high risk. */
  | { readonly kind: "run-skills"; readonly findings: readonly Diagnostic[] }
  /** Programs that serve skills over MCP, as the user wrote them; they run inside the sandbox. */
  | { readonly kind: "run-servers"; readonly commands: readonly string[] }
  | { readonly kind: "repeat-runs"; readonly repeated: readonly RepeatedRuns[] }
  /** The case itself was shown before. `file` is absolute. */
  | { readonly kind: "write-case"; readonly file: string };

/** Finished runs of one skill that would be made and paid for again. */
export interface RepeatedRuns {
  readonly suite: string;
  /** What changed since, in words. */
  readonly reason: string;
  readonly trials: number;
  /** About what they will cost; null: not known. */
  readonly costUsd: number | null;
}

export interface UntrustedScript {
  /** `check`: the command of a `shell` check. */
  readonly name: "setup" | "teardown" | "check";
  readonly caseId: string;
  readonly at: Location;
  readonly text: string;
}

/** Whether a variable of the environment is a secret: not to be written anywhere, nor to be read by agents. */
export function isSecretVariable(name: string, value: string | undefined): value is string {
  return SECRET_NAMES.test(name) && value !== undefined && value.length >= 8;
}

const SECRET_NAMES = /(KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?)$/i;
