import type { Grading } from "../domain/grading.ts";
import type { Json } from "../domain/json.ts";
import type { Run } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Summary } from "../domain/summary.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import type { Trial } from "../domain/trial.ts";
import type { Iteration } from "../domain/iteration.ts";

/** One finished run with all that was kept of it. */
export interface ExportedRun {
  readonly trial: Trial;
  readonly case: Case;
  readonly run: Run;
  /** Null: it was not graded. */
  readonly grading: Grading | null;
  readonly transcript: readonly TranscriptEvent[];
}

export interface ExportedIteration {
  readonly iteration: Iteration;
  readonly summary: Summary;
  /** As the eval files have them. */
  readonly cases: readonly Case[];
  /** In the order of the plan. */
  readonly runs: readonly ExportedRun[];
  /** Prompts and what tools were told and answered may go along. */
  readonly content: boolean;
}

export interface ExportedFile {
  /** Relative to what the user named, with forward slashes; "" is that very file. */
  readonly path: string;
  readonly content: Json;
}

/** Writes an iteration as another program reads it. Pure: the same iteration gives the same files. */
export interface Exporter {
  readonly name: string;
  readonly summary: string;
  /** What `--out` names. */
  readonly out: "file" | "folder";
  /** Where the files may be sent to, too. */
  readonly mayPost: boolean;
  readonly files: (exported: ExportedIteration) => readonly ExportedFile[];
}
