import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { type BenchmarkReading, benchmarkReader } from "../read/benchmark.ts";
import { findRuns } from "../read/runs.ts";
import { againstBenchmark, benchmarkRuns } from "./benchmark-runs.ts";
import type { ForeignIteration, Report } from "./foreign.ts";
import { gradedEvals, gradedTogether } from "./graded-alone.ts";
import { readIfThere } from "./read-if-there.ts";
import { evalRuns } from "./skill-creator-evals.ts";

/**
 * An iteration of skill-creator or of agentskills.io: numbered runs or one per configuration, evals at the top or in
 * `runs/`, or nothing but a benchmark.json.
 */
export async function readSkillCreator(root: string): Promise<ForeignIteration> {
  const problems: Diagnostic[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const benchmark = await readIfThere(benchmarkReader, join(root, "benchmark.json"), report);
  const found = await findRuns(root);
  const fromFolders = [
    ...(await evalRuns(root, found, report)),
    ...(await gradedEvals(root, new Set(found.map(({ evalFolder }) => evalFolder)), report)),
  ];
  for (const problem of againstBenchmark(fromFolders, benchmark, join(root, "benchmark.json")))
    report(problem);
  const told = fromFolders.length > 0 ? fromFolders : await gradedTogether(root, report);
  const runs = told.length > 0 ? told : benchmarkRuns(benchmark, report, join(root, "benchmark.json"));
  return {
    tool: "skill-creator",
    root,
    ...skillOf(root, benchmark),
    at: benchmark?.metadata.timestamp ?? statSync(root).mtime.toISOString(),
    harness: null,
    model: benchmark?.metadata.executorModel ?? null,
    judgeModel: null,
    runs,
    feedback: feedbackOf(root),
    problems,
  };
}

function skillOf(
  root: string,
  benchmark: BenchmarkReading | null,
): Pick<ForeignIteration, "skillName" | "namedBy"> {
  const told = benchmark?.metadata.skillName ?? null;
  if (told !== null && told.trim() !== "" && !/[<{]/.test(told)) return { skillName: told, namedBy: "file" };
  const isPart = /^(?:iteration-\d+(?:-.*)?|v\d+)$/.test(basename(root));
  const folder = basename(isPart ? dirname(root) : root);
  const [, named] = /^(.+)[-_]workspace$/.exec(folder) ?? [];
  return { skillName: named ?? folder, namedBy: named === undefined ? "folder" : "file" };
}

/** The viewer keeps it at the top of what it was called with: the iteration, or the whole workspace. */
function feedbackOf(root: string): string | null {
  return (
    [join(root, "feedback.json"), join(dirname(root), "feedback.json")].find((path) => existsSync(path)) ??
    null
  );
}

/** Whether a folder could be one, without reading what is in it. */
export function looksLikeSkillCreator(root: string): boolean {
  if (existsSync(join(root, "benchmark.json"))) return true;
  const top = existsSync(join(root, "runs")) ? join(root, "runs") : root;
  return safeNames(top).some(
    (name) => /^eval[-_]/.test(name) || EVAL_MARKS.some((mark) => existsSync(join(top, name, mark))),
  );
}

/** `vN` of skill-creator's first generation, which holds the runs of one version of the skill. */
export function isVersion(root: string): boolean {
  return (
    /^v\d{1,9}$/.test(basename(root)) && safeNames(join(root, "runs")).some((name) => /^run-\d+$/.test(name))
  );
}

const EVAL_MARKS = ["eval_metadata.json", "with_skill", "without_skill", "new_skill", "old_skill"];

function safeNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
