import { existsSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { leftOut } from "../../domain/left-out.ts";
import type { Outcome } from "../../domain/run.ts";
import { type Loose, numberOrNull, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import { readTextFile } from "../../lib/text-file.ts";
import { foldersIn } from "../folders-in.ts";
import { gradingReader } from "../read/grading.ts";
import { checksOf, gradingOf } from "./checks.ts";
import { bmadTriggers } from "./bmad-triggers.ts";
import { type ForeignIteration, type ForeignRun, NOTHING_KEPT, problemAt, type Report } from "./foreign.ts";
import { looseFile } from "./loose-file.ts";
import { readIfThere } from "./read-if-there.ts";
import { usageIn } from "./usage.ts";
import { unknownArm, variantNamed } from "./variant.ts";

/**
 * A run folder of BMad: `<id>/` of its first generation, `<config>/<id>[/run-N]/` of the later ones, or the result of a trigger
 * measurement.
 */
export async function readBmad(root: string): Promise<ForeignIteration> {
  const problems: Diagnostic[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const manifest = await looseFile(join(root, "run.json"), report);
  const found = await foundRuns(root, report);
  const runs: ForeignRun[] = [];
  for (const one of found) runs.push(await readRun(root, one, report));
  const triggers = await bmadTriggers(root, report);
  const summary = await looseFile(join(root, "execution-summary.json"), report);
  const total = numberOrNull(summary, "total");
  if (total !== null && total !== runs.length)
    report(
      problemAt(
        join(root, "execution-summary.json"),
        "other-count",
        `it lists ${total} runs, but ${runs.length} are here; only those are read`,
      ),
    );
  const named = textOrNull(manifest, "skill_name") ?? triggers?.skillName ?? null;
  return {
    tool: "bmad",
    root,
    skillName: named ?? bmadLabel(root).replace(/-triggers$/, ""),
    namedBy: named === null ? "folder" : "file",
    at: textOrNull(manifest, "started_at") ?? statSync(root).mtime.toISOString(),
    harness: "claude-code",
    model: null,
    judgeModel: null,
    runs: [...runs, ...(triggers?.runs ?? [])],
    feedback: existsSync(join(root, "feedback.json")) ? join(root, "feedback.json") : null,
    problems,
  };
}

interface BmadRun {
  readonly id: string;
  readonly configuration: string;
  readonly number: number;
  readonly path: string;
}

async function foundRuns(root: string, report: Report): Promise<readonly BmadRun[]> {
  const found: BmadRun[] = [];
  for (const name of await foldersIn(root)) {
    const path = join(root, name);
    if (isRun(path)) {
      found.push({ id: name, configuration: "skill", number: 1, path });
      continue;
    }
    const below: BmadRun[] = [];
    for (const id of await foldersIn(path))
      below.push(...(await runsOf(join(path, id), { id, configuration: name })));
    if (below.length > 0 && variantNamed(name) === null) report(unknownArm(path, name));
    else found.push(...below);
  }
  return found;
}

async function runsOf(
  path: string,
  head: Pick<BmadRun, "id" | "configuration">,
): Promise<readonly BmadRun[]> {
  if (isRun(path)) return [{ ...head, number: 1, path }];
  return (await foldersIn(path)).flatMap((name) => {
    const [, number] = /^run-(\d{1,6})$/.exec(name) ?? [];
    return number === undefined || !isRun(join(path, name))
      ? []
      : [{ ...head, number: Number(number), path: join(path, name) }];
  });
}

function isRun(path: string): boolean {
  return existsSync(join(path, "prompt.txt")) || existsSync(join(path, "transcript.jsonl"));
}

async function readRun(
  root: string,
  { id, configuration, number, path }: BmadRun,
  report: Report,
): Promise<ForeignRun> {
  const grading = await readIfThere(gradingReader, join(path, "grading.json"), report);
  const statements = grading?.runs[0] ?? [];
  const entry = await looseFile(join(path, "case.json"), report);
  const asked = Array.isArray(entry?.["rubric"])
    ? entry["rubric"].filter((line) => typeof line === "string")
    : [];
  const checks = checksOf(asked, [statements]);
  const told =
    (await looseFile(join(path, "timing.json"), report)) ??
    (await looseFile(join(path, "metrics.json"), report));
  const prompt = await readTextFile(join(path, "prompt.txt"), MOST_PROMPT);
  const seconds = numberOrNull(told, "elapsed_s");
  const transcript = join(path, "transcript.jsonl");
  return {
    ...NOTHING_KEPT,
    source: relative(root, path).replaceAll("\\", "/"),
    evalId: id,
    name: null,
    prompt: prompt.ok ? prompt.text.trim() : null,
    variant: variantNamed(configuration) ?? "with_skill",
    repetition: Math.max(1, number),
    checks,
    grading: grading === null ? null : gradingOf(checks, statements, grading),
    files: ["artifacts", "cwd"].map((name) => join(path, name)).find((folder) => existsSync(folder)) ?? null,
    transcript: existsSync(transcript) ? { kind: "claude-code", path: transcript } : null,
    outcome: outcomeOf(told, seconds),
    durationMs: seconds === null ? null : seconds * 1000,
    usage: usageIn(told),
    toolCalls: Object.fromEntries(
      Object.entries(objectAt(told, "tool_calls")).filter(
        (call): call is [string, number] => typeof call[1] === "number",
      ),
    ),
  };
}

const MOST_PROMPT = 1024 * 1024;

function outcomeOf(told: Loose | null, elapsed: number | null): Outcome {
  const status = textAt(told, "status");
  const tail = textAt(told, "stderr_tail");
  if (status === "timeout" || tail.startsWith("TIMEOUT")) {
    const [, limit] = /^TIMEOUT after (\d{1,9}(?:\.\d+)?)s/.exec(tail) ?? [];
    const seconds = elapsed ?? (limit === undefined ? null : Number(limit));
    if (seconds === null) return { status: "crashed", message: "it timed out; after how long is not known" };
    return { status: "timed-out", afterMs: seconds * 1000 };
  }
  if (["skipped", "adapter-missing", "fixture-integrity-error"].includes(status))
    return leftOut("setup-skipped", `BMad calls the run ${status}`);
  const code = numberOrNull(told, "return_code") ?? 0;
  if (status === "error" || code !== 0)
    return { status: "crashed", message: tail || `the client exited with ${code}` };
  return { status: "completed" };
}

/** What the folder is called, without its time. */
export function bmadLabel(root: string): string {
  return basename(root).replace(/^\d{8}-\d{6}[-_\d]*-/, "");
}

/** Whether a folder could be one: its run.json has a run_id, which ours has not. */
export async function looksLikeBmad(root: string): Promise<boolean> {
  if (["execution-summary.json", "triggers-result.json"].some((name) => existsSync(join(root, name))))
    return true;
  return textOrNull(await looseFile(join(root, "run.json"), () => {}), "run_id") !== null;
}
