import { readFile } from "node:fs/promises";
import type { EventOf } from "../domain/event.ts";
import { countsAs, type Run } from "../domain/run.ts";
import type { RunFolder } from "../store/layout.ts";
import { type MetricsFile, metricsFile } from "../store/write/metrics.ts";
import { codePoints, outputChars } from "../store/write/output-chars.ts";
import { writeGradingFiles } from "../store/write/run-folder.ts";
import { storedSubject } from "./stored-subject.ts";
import type { OpenWork } from "./work.ts";

/** Grades a finished run from what is stored of it, so that a fresh run and a later regrade see the same. */
export async function gradeFinished(
  finished: EventOf<"trial-finished">,
  work: OpenWork,
  signal: AbortSignal,
): Promise<void> {
  const { trial, run } = finished;
  const one = work.cases.get(trial.caseId);
  if (work.grade === null || one === undefined || countsAs(run.outcome) === "left-out" || signal.aborted)
    return;
  const folder = work.iteration.folder.run(finished.folder);
  const skill = work.optionsFor(one, trial).skillName ?? work.suite.skill?.name ?? null;
  const grading = await work.grade(await storedSubject(finished, one, folder, skill), signal);
  if (signal.aborted) return;
  await writeGradingFiles(folder, { run, grading, metrics: await metricsOf(folder, run) }, work.mask);
  await work.record({ kind: "verdicts-recorded", trial, grading });
}

/** Measured again rather than read, because metrics.json may be from an older version. */
async function metricsOf(folder: RunFolder, run: Run): Promise<MetricsFile> {
  const transcript = await readFile(folder.transcriptText, "utf8").catch(() => "");
  return metricsFile(run, {
    outputChars: await outputChars(folder.outputs, [folder.metrics, folder.listing]),
    transcriptChars: codePoints(transcript),
  });
}
