/** A program to run for one question. */
interface ProgramCall {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly timeoutMs: number;
}

export interface ProgramRun {
  readonly ending:
    | { readonly kind: "exited"; readonly code: number | null }
    | { readonly kind: "timed-out" }
    | { readonly kind: "not-started"; readonly reason: string };
  readonly stdout: string;
  /** Its end is enough. */
  readonly stderr: string;
}

/**
 * Runs a program to its end in a directory that is new, empty and gone afterwards, and leaves no process behind. Rejects
 * only when `signal` fires. Passed in, because starting programs is not grading's business.
 */
export type RunProgram = (call: ProgramCall, signal: AbortSignal) => Promise<ProgramRun>;
