import { mkdirSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { toJsonLine } from "../../lib/jsonl.ts";
import { writeNewFiles, writeNewFileSync } from "../../lib/new-files.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { CaseFolder, IterationFolder, RunFolder } from "../layout.ts";
import type { EvalMetadataFile } from "./eval-metadata.ts";
import { type GradedRun, gradingFile } from "./grading.ts";
import { metricsFile, type MetricsFile } from "./metrics.ts";
import { codePoints, outputChars } from "./output-chars.ts";
import { outputListing } from "./output-listing.ts";
import { timingFile } from "./timing.ts";
import { type TranscriptFacts, transcriptText } from "./transcript.ts";

/** An empty folder for the next attempt of a run; what an earlier one left is set aside, because it is evidence. */
export async function freshRunFolder(
  iteration: IterationFolder,
  folder: string,
  attempt: number,
): Promise<RunFolder> {
  const run = iteration.run(folder);
  if (attempt > 1) await setAside(run, iteration.attempt(folder, attempt - 1));
  if (mkdirSync(run.root, { recursive: true }) !== undefined) return run;
  await rm(run.root, { recursive: true, force: true });
  mkdirSync(run.root);
  return run;
}

/** Without a folder called `outputs`, which skill-creator's viewer would show as one more run. */
async function setAside(run: RunFolder, aside: string): Promise<void> {
  await mkdir(dirname(aside), { recursive: true });
  await rm(aside, { recursive: true, force: true });
  await rename(run.root, aside).catch(ignoreMissing);
  await rename(join(aside, "outputs"), join(aside, "files")).catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

export interface RunRecord extends TranscriptFacts {
  readonly transcript: readonly TranscriptEvent[];
  /** What text checks read; null where the run left none. */
  readonly output: string | null;
  /** Trigger runs have no outputs folder, so that skill-creator's tools do not count them. */
  readonly withOutputs: boolean;
}

/**
 * output.txt, transcript.jsonl, transcript.md, metrics.json and timing.json. To be called before the trial is committed:
 * nobody reads them until then, so they need not be there all at once.
 */
export async function writeRunFiles(
  folder: RunFolder,
  record: RunRecord,
  mask: SecretMask,
): Promise<MetricsFile> {
  const text = mask.text(transcriptText(record.transcript, record));
  const own = record.withOutputs ? prepareOutputs(folder, record, mask) : [];
  writeNewFileSync(folder.transcriptText, text);
  const metrics = metricsFile(record.run, {
    outputChars: record.withOutputs ? await outputChars(folder.outputs, own) : 0,
    transcriptChars: codePoints(text),
  });
  if (record.withOutputs) writeNewFileSync(folder.metrics, jsonText(metrics, mask));
  writeNewFileSync(folder.timing, jsonText(timingFile(record.run, null), mask));
  const lasting = new Map([
    [basename(folder.transcript), mask.json(record.transcript).map(toJsonLine).join("")],
  ]);
  if (record.output !== null) lasting.set(basename(folder.outputText), mask.text(record.output));
  await writeNewFiles(folder.root, lasting);
  return metrics;
}

/** An answer or files that skill-creator's viewer would not show are listed. Answers which files there are ours. */
function prepareOutputs(folder: RunFolder, record: RunRecord, mask: SecretMask): readonly string[] {
  mkdirSync(folder.outputs, { recursive: true });
  const listing = outputListing(folder.outputs, record);
  if (listing === null) return [];
  writeNewFileSync(folder.listing, mask.text(listing));
  return [folder.listing];
}

/** grading.json, or none when nothing was scored, and timing.json once more, now with the grader's time. */
export async function writeGradingFiles(
  folder: RunFolder,
  graded: GradedRun,
  mask: SecretMask,
): Promise<void> {
  // A run can be graded again whose folder was cleaned away.
  mkdirSync(folder.root, { recursive: true });
  const file = gradingFile(graded);
  if (file === null) await rm(folder.grading, { force: true });
  else await writeJson(folder.grading, file, mask);
  await writeJson(folder.timing, timingFile(graded.run, graded.grading), mask);
}

/** assertions.json or extraction.json. */
export async function writeLayerFile(path: string, file: JsonObject, mask: SecretMask): Promise<void> {
  await writeJson(path, file, mask);
}

/** In the eval's folder for the aggregator, in the variant's for the viewer. */
export async function writeEvalMetadata(
  folder: CaseFolder,
  { variant, file }: { variant: string; file: EvalMetadataFile },
  mask: SecretMask,
): Promise<void> {
  await mkdir(dirname(folder.variantMetadata(variant)), { recursive: true });
  await writeJson(folder.metadata, file, mask);
  await writeJson(folder.variantMetadata(variant), file, mask);
}

/** Everything written here can be made again from the journal, so it need not outlast the machine's crash. */
async function writeJson(path: string, value: unknown, mask: SecretMask): Promise<void> {
  await writeFileAtomic(path, jsonText(value, mask), { durable: false });
}

function jsonText(value: unknown, mask: SecretMask): string {
  return `${JSON.stringify(mask.json(value), null, 2)}\n`;
}
