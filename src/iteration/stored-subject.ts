import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { EventOf } from "../domain/event.ts";
import type { Run } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import type { OutputText, Subject, SubjectFile } from "../grade/subject.ts";
import { outputPath } from "../run/workspace/capture.ts";
import type { RunFolder } from "../store/layout.ts";

/** A finished run as its folder holds it. */
export async function storedSubject(
  { trial, run }: EventOf<"trial-finished">,
  one: Case,
  folder: RunFolder,
  skill: string | null,
): Promise<Subject> {
  const earlier = new Set(await filesBelow(folder.before));
  const changed = run.changes.flatMap((change): SubjectFile[] => {
    if (change.change === "deleted") return [];
    const outputs = one.kind === "task" ? folder.outputs : join(folder.root, "files");
    const stored = change.captured ? join(outputs, outputPath(change.path)) : null;
    const before = join(folder.before, change.path);
    const { path, bytes, sha256 } = change;
    const kept = earlier.has(before) && { before };
    return [{ path, origin: change.change, stored, bytes, sha256, ...kept }];
  });
  const known = new Set(changed.map((file) => file.path));
  const inputs = (await inputFiles(folder.inputs)).filter((file) => !known.has(file.path));
  return {
    case: one,
    trial,
    run,
    skill,
    output: await outputOf(folder, run),
    transcript: () => readTranscript(folder.transcript),
    files: [...changed, ...inputs],
  };
}

async function outputOf(folder: RunFolder, { output }: Run): Promise<OutputText> {
  if (output?.status === "missing" || output?.status === "unknown") return output;
  const bytes = await sizeOf(folder.outputText);
  return bytes === null
    ? { status: "missing", reason: "the run left no output" }
    : { status: "present", path: folder.outputText, bytes };
}

async function filesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function inputFiles(root: string): Promise<SubjectFile[]> {
  const files = await filesBelow(root);
  return Promise.all(
    files.map(async (stored) => ({
      path: stored.slice(root.length + 1).replaceAll("\\", "/"),
      origin: "input" as const,
      stored,
      bytes: (await sizeOf(stored)) ?? 0,
      sha256: null,
    })),
  );
}

async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    () => null,
  );
}

async function* readTranscript(path: string): AsyncIterable<TranscriptEvent> {
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity });
  for await (const line of lines) if (line !== "") yield JSON.parse(line) as TranscriptEvent;
}
