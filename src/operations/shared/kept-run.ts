import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { FileChange } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { Bound, Summary } from "../../domain/summary.ts";
import type { Trial } from "../../domain/trial.ts";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import { outputPath } from "../../run/workspace/capture.ts";
import type { IterationFolder, RunFolder } from "../../store/layout.ts";
import { promptText } from "../../store/write/eval-metadata.ts";

/** What was asked; null: the iteration no longer says. */
export function promptOf(
  { run, trial }: EventOf<"trial-finished">,
  one: Case | undefined,
  { suite }: Pick<Iteration, "suite">,
): string | null {
  if (run.sent !== null) return run.sent.messages.join("\n\n");
  return one === undefined ? null : promptText(one, trial.variant, suite);
}

/** What a trial and its case were held to, and what was reached. */
export function boundsIn(summary: Summary | null, { id, caseId }: Trial): readonly Bound[] {
  if (summary === null) return [];
  const own = summary.cases.flatMap(({ trials }) => trials).find(({ trialId }) => trialId === id);
  const ofAll = summary.gates.find((gate) => gate.caseId === caseId);
  return [...(own?.bounds ?? []), ...(ofAll?.bounds ?? [])];
}

/** As it was kept; null: there is none, or it cannot be read. */
export async function readSummary({ summary }: Pick<IterationFolder, "summary">): Promise<Summary | null> {
  try {
    const value = JSON.parse(await readFile(summary, "utf8")) as Summary;
    return Array.isArray(value.cases) && Array.isArray(value.variants) ? value : null;
  } catch {
    return null;
  }
}

/** Where the files that a run made lie. */
export function outputsOf(one: Case | undefined, files: RunFolder): string {
  return one?.kind === "trigger" ? join(files.root, "files") : files.outputs;
}

/** What a run did to one file, as a patch; null where a side is not kept, not text, or larger than asked for. */
export async function changeDiff(
  { path, change }: FileChange,
  { one, files, mostBytes }: { one: Case | undefined; files: RunFolder; mostBytes: number },
): Promise<string | null> {
  const before = change === "created" ? null : await textOf(join(files.before, path), mostBytes);
  const after =
    change === "deleted" ? "" : await textOf(join(outputsOf(one, files), outputPath(path)), mostBytes);
  if (after === null || (before === null && change !== "created")) return null;
  return unifiedDiff({ path, before, after });
}

async function textOf(path: string, mostBytes: number): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.size > mostBytes) return null;
  const bytes = await readFile(path).catch(() => null);
  return bytes === null || bytes.includes(0) ? null : bytes.toString("utf8");
}
