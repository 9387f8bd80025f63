import type { Case } from "../domain/suite.ts";
import type { Run } from "../domain/run.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import type { Trial } from "../domain/trial.ts";

/** What a grader may look at: one finished run, read from where it is stored, never held whole in memory. */
export interface Subject {
  readonly case: Case;
  readonly trial: Trial;
  readonly run: Run;
  /** The name the client knows the skill under test by; null when there is none. */
  readonly skill: string | null;
  /** Set where only an output was captured: what the agent did and left behind is not known. */
  readonly only?: "output";
  /** The text that text checks read. */
  readonly output: OutputText;
  transcript(): AsyncIterable<TranscriptEvent>;
  /** Files of the workspace after the run: everything created or modified, and staged inputs. */
  readonly files: readonly SubjectFile[];
}

export type OutputText =
  | { readonly status: "present"; readonly path: string; readonly bytes: number }
  /** A declared output file that was not written is a failure that says so. */
  | { readonly status: "missing"; readonly reason: string }
  /** Nobody kept it, so it is no evidence either way. */
  | { readonly status: "unknown"; readonly reason: string };

export interface SubjectFile {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly origin: "created" | "modified" | "input";
  /** Absolute path of the stored copy; null when a cap kept it out. */
  readonly stored: string | null;
  readonly bytes: number;
  readonly sha256: string | null;
  /** Absolute path of a copy of what was there before the run modified it; absent: none is kept. */
  readonly before?: string;
}
