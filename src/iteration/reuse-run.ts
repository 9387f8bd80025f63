import { cp } from "node:fs/promises";
import type { Run } from "../domain/run.ts";
import type { Trial } from "../domain/trial.ts";
import { runFolder } from "../store/layout.ts";
import { freshRunFolder } from "../store/write/run-folder.ts";
import { gradeFinished } from "./grade-finished.ts";
import type { OpenWork } from "./work.ts";

/** A finished run of the same trial in an earlier iteration. */
export interface EarlierRun {
  readonly run: Run;
  /** Absolute. */
  readonly folder: string;
  /** Where it comes from, in words. */
  readonly from: string;
}

/** The run that a trial with this key already has; null: it must be made. */
export type ReuseRun = (trial: Trial) => EarlierRun | null;

/**
 * Takes a run over with everything it left and grades it by today's checks. It is labelled where it came from. The old
 * verdicts stay behind: until it is graded here, other tools must not count it.
 */
export async function reuseRun(
  trial: Trial,
  { earlier, folder, attempt }: { earlier: EarlierRun; folder: string; attempt: number },
  work: OpenWork,
  signal: AbortSignal,
): Promise<void> {
  await work.record({ kind: "trial-started", trial, attempt });
  const target = await freshRunFolder(work.iteration.folder, folder, attempt);
  const { grading, assertions, extraction } = runFolder(earlier.folder);
  const verdicts = new Set([grading, assertions, extraction]);
  await cp(earlier.folder, target.root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !verdicts.has(path),
  });
  const finished = {
    kind: "trial-finished",
    trial,
    attempt,
    run: { ...labelled(earlier), trialId: trial.id },
    folder,
  } as const;
  await work.record(finished);
  await gradeFinished({ at: work.now().toISOString(), ...finished }, work, signal);
}

/** A run that was itself taken over keeps the name of the iteration that really made it. */
function labelled({ run, from }: EarlierRun): Run {
  if (run.reusedFrom !== null) return run;
  return { ...run, reusedFrom: from, notes: [...run.notes, `reused from ${from}`] };
}
