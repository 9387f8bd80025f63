import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Layer } from "../../domain/check.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { listAt, type Loose, numberOrNull, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import { foldersIn } from "../folders-in.ts";
import {
  type ForeignCheck,
  type ForeignIteration,
  type ForeignRun,
  type ForeignVerdict,
  NOTHING_KEPT,
  problemAt,
  type Report,
} from "./foreign.ts";
import { looseFile } from "./loose-file.ts";
import { usageIn } from "./usage.ts";

/** `.clauditor/iteration-N/<skill>`, with the runs of one skill and perhaps one without it. */
export async function readClauditor(root: string): Promise<ForeignIteration> {
  const problems: Diagnostic[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const read = (name: string) => looseFile(join(root, name), report);
  const assertions = await read("assertions.json");
  const grading = await read("grading.json");
  const extraction = await read("extraction.json");
  const context = await read("context.json");
  const skillName = basename(root);
  const layers: Layers = { assertions, grading, extraction };
  const checks = checksOf(layers, report, root);
  const harness = textOrNull(context, "harness") ?? textOrNull(assertions, "harness");
  const runs = [
    ...(await skillRuns(root, { layers, checks, skillName, harness })),
    ...(await baselineRuns(root, { checks, skillName, read })),
  ];
  for (const [file, content] of Object.entries({ "assertions.json": assertions, "grading.json": grading })) {
    const about = textOrNull(content, "skill") ?? textOrNull(content, "skill_name");
    if (about !== null && about !== skillName)
      report(
        problemAt(
          join(root, file),
          "other-skill",
          `it is about the skill ${about}, but is in the folder of ${skillName}`,
        ),
      );
  }
  return {
    tool: "clauditor",
    root,
    skillName,
    namedBy: "file",
    at: textOrNull(grading, "timestamp") ?? statSync(root).mtime.toISOString(),
    harness,
    model: textOrNull(context, "model_runner"),
    judgeModel: textOrNull(context, "model_grader") ?? textOrNull(grading, "model"),
    runs,
    feedback: null,
    problems,
  };
}

interface Layers {
  readonly assertions: Loose | null;
  readonly grading: Loose | null;
  readonly extraction: Loose | null;
}

async function skillRuns(
  root: string,
  {
    layers,
    checks,
    skillName,
    harness,
  }: { layers: Layers; checks: readonly ForeignCheck[]; skillName: string; harness: string | null },
): Promise<readonly ForeignRun[]> {
  const folders = (await foldersIn(root)).filter((name) => /^run-\d{1,6}$/.test(name));
  const told = listAt(layers.assertions, "runs");
  const numbers = new Set([
    ...folders.map(numberIn),
    ...told.map((run, index) => numberOrNull(run, "run") ?? index),
  ]);
  if (numbers.size === 0 && layers.grading !== null) numbers.add(0);
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number, index) => {
      const l1 = told.find((run, at) => (numberOrNull(run, "run") ?? at) === number);
      const verdicts = [
        ...resultsOf(l1),
        // Only the first run is graded by a model.
        ...(index === 0 ? [...fieldsOf(layers.extraction), ...criteriaOf(layers.grading)] : []),
      ];
      const folder = `run-${number}`;
      const at = join(root, folder);
      const stream = join(at, "output.jsonl");
      return {
        ...headOf(skillName, checks),
        source: existsSync(at) ? folder : "",
        variant: "with_skill",
        repetition: index + 1,
        grading: gradingWith(verdicts),
        inputs: existsSync(join(at, "inputs")) ? join(at, "inputs") : null,
        answer: existsSync(join(at, "output.txt")) ? { kind: "file", path: join(at, "output.txt") } : null,
        transcript: existsSync(stream)
          ? { kind: harness === "codex" ? "codex" : "claude-code", path: stream }
          : null,
        usage: usageIn(l1),
      };
    });
}

async function baselineRuns(
  root: string,
  {
    checks,
    skillName,
    read,
  }: { checks: readonly ForeignCheck[]; skillName: string; read: (name: string) => Promise<Loose | null> },
): Promise<readonly ForeignRun[]> {
  const baseline = await read("baseline.json");
  if (baseline === null) return [];
  const assertions = await read("baseline_assertions.json");
  const flat = listAt(assertions, "results").length > 0 ? assertions : listAt(assertions, "runs")[0];
  const verdicts = [
    ...resultsOf(flat),
    ...fieldsOf(await read("baseline_extraction.json")),
    ...criteriaOf(await read("baseline_grading.json")),
  ];
  const seconds = numberOrNull(baseline, "duration_seconds");
  const exitCode = numberOrNull(baseline, "exit_code") ?? 0;
  return [
    {
      ...headOf(skillName, checks),
      source: existsSync(join(root, "baseline-run")) ? "baseline-run" : "",
      variant: "without_skill",
      repetition: 1,
      grading: gradingWith(verdicts),
      answer: { kind: "text", text: textAt(baseline, "output") },
      outcome:
        exitCode === 0
          ? { status: "completed" }
          : { status: "crashed", message: `the client exited with ${exitCode}` },
      durationMs: seconds === null ? null : seconds * 1000,
      usage: usageIn(baseline),
    },
  ];
}

function headOf(skillName: string, checks: readonly ForeignCheck[]) {
  return { ...NOTHING_KEPT, evalId: skillName, name: null, prompt: null, checks } as const;
}

/** By id, in the order of the layers; texts of the first run that has them. */
function checksOf(
  { assertions, grading, extraction }: Layers,
  report: Report,
  root: string,
): readonly ForeignCheck[] {
  const checks = new Map<string, ForeignCheck>();
  const add = (id: string, layer: Layer, text: string) => {
    const known = checks.get(id);
    if (known === undefined) return void checks.set(id, { id, layer, text });
    if (known.layer !== layer)
      report(
        problemAt(
          root,
          "same-id",
          `${JSON.stringify(id)} is a check of both ${known.layer} and ${layer}; its verdicts can only be told apart by layer`,
        ),
      );
  };
  for (const run of listAt(assertions, "runs"))
    for (const one of listAt(run, "results")) add(idOf(one), "L1", textAt(one, "name") || idOf(one));
  for (const [id, entries] of Object.entries(objectAt(extraction, "fields")))
    add(id, "L2", textOrNull(listAt(entries)[0], "field_name") ?? id);
  for (const one of listAt(grading, "results")) add(idOf(one), "L3", textAt(one, "criterion") || idOf(one));
  return [...checks.values()];
}

function resultsOf(run: unknown): readonly ForeignVerdict[] {
  return listAt(run, "results").map((one) => ({
    checkId: idOf(one),
    status: statusOf(one),
    evidence: [textAt(one, "message"), textAt(one, "evidence")].filter((part) => part !== "").join(": "),
    score: null,
    entry: null,
  }));
}

function criteriaOf(grading: Loose | null): readonly ForeignVerdict[] {
  return listAt(grading, "results").map((one) => ({
    checkId: idOf(one),
    status: statusOf(one),
    evidence: [textAt(one, "evidence"), textAt(one, "reasoning")].filter((part) => part !== "").join("; "),
    score: numberOrNull(one, "score"),
    entry: null,
  }));
}

function fieldsOf(extraction: Loose | null): readonly ForeignVerdict[] {
  return Object.entries(objectAt(extraction, "fields")).flatMap(([checkId, entries]) =>
    listAt(entries).map((one, index) => ({
      checkId,
      status: statusOf(one),
      evidence: textAt(one, "evidence"),
      score: null,
      entry: numberOrNull(one, "entry_index") ?? index,
    })),
  );
}

function gradingWith(verdicts: readonly ForeignVerdict[]): ForeignRun["grading"] {
  return verdicts.length === 0 ? null : { verdicts, claims: [], evalFeedback: null };
}

/** Older files have no ids: then the text tells checks apart. */
function idOf(one: unknown): string {
  return textOrNull(one, "id") ?? textOrNull(one, "name") ?? textOrNull(one, "criterion") ?? "check";
}

function statusOf(one: unknown): ForeignVerdict["status"] {
  const { passed } = objectAt(one);
  if (typeof passed !== "boolean") return "unscored";
  return passed ? "passed" : "failed";
}

function numberIn(folder: string): number {
  return Number(folder.slice("run-".length));
}

/** Whether a folder could be one. */
export function looksLikeClauditor(root: string): boolean {
  return (
    existsSync(join(root, "assertions.json")) ||
    existsSync(join(root, "context.json")) ||
    (/[/\\]\.clauditor[/\\]/.test(root) && existsSync(join(root, "grading.json")))
  );
}
