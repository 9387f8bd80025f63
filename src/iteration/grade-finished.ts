import { readFile, rm } from "node:fs/promises";
import type { EventBody, EventOf } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import { type Iteration, skillNameIn } from "../domain/iteration.ts";
import { countsAs, type Run } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Bound } from "../domain/summary.ts";
import type { Trial } from "../domain/trial.ts";
import { extractionFile } from "../grade/extraction/extraction-file.ts";
import type { Subject } from "../grade/subject.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import type { OpenIteration } from "../store/iteration.ts";
import type { RunFolder } from "../store/layout.ts";
import { boundsOf } from "../report/bounds.ts";
import { assertionsFile } from "../store/write/assertions.ts";
import { type MetricsFile, metricsFile } from "../store/write/metrics.ts";
import { codePoints, outputChars } from "../store/write/output-chars.ts";
import { writeGradingFiles, writeLayerFile } from "../store/write/run-folder.ts";
import { storedSubject } from "./stored-subject.ts";

/** What grading stored runs takes. */
export interface GradingWork {
  readonly manifest: Iteration;
  readonly iteration: Pick<OpenIteration, "folder">;
  /** By id, with the checks to hold the runs to. */
  readonly cases: ReadonlyMap<string, Case>;
  readonly mask: SecretMask;
  /** Null with `--no-grade`. */
  readonly grade: ((subject: Subject, signal: AbortSignal) => Promise<Grading>) | null;
  /** The name that the client knew the skill by in this trial; null where there was none. */
  readonly skillNameOf: (one: Case, trial: Trial) => string | null;
  readonly record: (body: EventBody) => Promise<void>;
}

/** Grades a finished run from what is stored of it, so that a fresh run and a later regrade see the same. */
export async function gradeFinished(
  finished: EventOf<"trial-finished">,
  work: GradingWork,
  signal: AbortSignal,
): Promise<void> {
  const { trial, run } = finished;
  const one = work.cases.get(trial.caseId);
  if (work.grade === null || one === undefined || countsAs(run.outcome) === "left-out" || signal.aborted)
    return;
  const folder = work.iteration.folder.run(finished.folder);
  const subject = await storedSubject(finished, one, folder, work.skillNameOf(one, trial));
  const grading = await work.grade(subject, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (grading === null || signal.aborted) return;
  const metrics = await metricsOf(folder, run);
  const gates = declaredBounds(one, grading);
  await writeGradingFiles(folder, { run, grading, metrics, gates }, work.mask);
  await writeLayers(finished, { one, grading, folder }, work);
  await work.record({ kind: "verdicts-recorded", trial, grading });
}

/** What the file itself asks for; what a person asks for at the time is in the summary. */
function declaredBounds(one: Case, { verdicts }: Grading): readonly Bound[] {
  return one.settings.gradeThresholds === null ? [] : (boundsOf(one, verdicts, null) ?? []);
}

/** assertions.json and extraction.json, as clauditor has them; one that an earlier grading left and this one has no use for goes. */
async function writeLayers(
  { trial, run, folder: relative }: EventOf<"trial-finished">,
  { one, grading, folder }: { one: Case; grading: Grading; folder: RunFolder },
  { manifest, mask }: GradingWork,
): Promise<void> {
  const assertions = assertionsFile({ manifest, one, trial, run, grading, folder: relative });
  if (assertions === null) await rm(folder.assertions, { force: true });
  else await writeLayerFile(folder.assertions, assertions, mask);
  const { extraction } = grading;
  if (extraction === undefined) return rm(folder.extraction, { force: true });
  const head = {
    skillName: skillNameIn(manifest),
    transport: extraction.transport ?? "api",
    provider: extraction.judge ?? "",
    harness: manifest.harness,
  };
  await writeLayerFile(folder.extraction, extractionFile(head, one, extraction, grading.verdicts), mask);
}

/** Measured again rather than read, because metrics.json may be from an older version. */
async function metricsOf(folder: RunFolder, run: Run): Promise<MetricsFile> {
  const transcript = await readFile(folder.transcriptText, "utf8").catch(() => "");
  return metricsFile(run, {
    outputChars: await outputChars(folder.outputs, [folder.metrics, folder.listing]),
    transcriptChars: codePoints(transcript),
  });
}
