import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { leftOut } from "../../domain/left-out.ts";
import { type Outcome, UNKNOWN_USAGE } from "../../domain/run.ts";
import type { Variant } from "../../domain/trial.ts";
import { listAt, type Loose, numberOrNull, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import { staysIn } from "../../lib/stays-in.ts";
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

const FILE = "aggregate-result.json";

/** A results folder of `claude plugin eval`: one file with all cases, both arms and what each grader said. */
export async function readPluginEval(root: string): Promise<ForeignIteration> {
  const problems: Diagnostic[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const path = join(root, FILE);
  const told = (await looseFile(path, report)) ?? {};
  const suite = objectAt(told, "suite");
  const cases = listAt(told, "cases").map((one) => objectAt(one));
  const named = pluginName(suite);
  if (told["partial"] === true)
    report(
      problemAt(path, "partial", `it ended early: ${textAt(told, "partialReason") || "it does not say why"}`),
    );
  return {
    tool: "plugin-eval",
    root,
    skillName: named ?? basename(root),
    namedBy: named === null ? "folder" : "file",
    at: textAt(told, "startedAt"),
    harness: "claude-code",
    model: textOrNull(suite, "modelOverride") ?? commonModel(cases),
    judgeModel: textOrNull(suite, "judgeModel"),
    runs: cases.flatMap((one) => caseRuns(root, one, report)),
    feedback: existsSync(join(root, "feedback.json")) ? join(root, "feedback.json") : null,
    problems,
  };
}

/** Others use the name of the file too: theirs has no arms. */
export async function looksLikePluginEval(root: string): Promise<boolean> {
  const told = await looseFile(join(root, FILE), () => {});
  if (told === null || numberOrNull(told, "schemaVersion") === null) return false;
  return Array.isArray(told["cases"]) && told["cases"].every((one) => Object.hasOwn(objectAt(one), "arms"));
}

function pluginName(suite: Loose): string | null {
  const [first] = listAt(suite, "plugins");
  // `name@marketplace`.
  return textOrNull(suite, "pluginId")?.split("@")[0] ?? textOrNull(first, "name");
}

function commonModel(cases: readonly Loose[]): string | null {
  const models = new Set(cases.map((one) => textOrNull(one, "model")));
  const [only = null] = models;
  return models.size === 1 ? only : null;
}

const ARMS: readonly (readonly [string, Variant])[] = [
  ["with", "with_skill"],
  ["without", "without_skill"],
];

function caseRuns(root: string, one: Loose, report: Report): readonly ForeignRun[] {
  const name = textAt(one, "name");
  if (name === "") {
    report(problemAt(join(root, FILE), "no-name", "a case has no name, so its runs are left out"));
    return [];
  }
  const arms = objectAt(one, "arms");
  const all = ARMS.flatMap(([arm]) => listAt(arms, arm));
  const checks = checksOf(listAt(one, "graders"), all);
  return ARMS.flatMap(([arm, variant]) =>
    listAt(arms, arm).map((given, at): ForeignRun => {
      const run = objectAt(given);
      const seconds = numberOrNull(run, "durationSeconds");
      const outcome = outcomeOf(run, seconds);
      return {
        ...NOTHING_KEPT,
        evalId: name,
        name: null,
        prompt: textOrNull(one, "promptMarkdown"),
        variant,
        repetition: at + 1,
        checks,
        grading: {
          verdicts: checks.map(({ id }) => verdictOn(id, run)),
          claims: [],
          evalFeedback: null,
        },
        transcript: transcriptOf(root, run),
        outcome,
        durationMs: seconds === null ? null : seconds * 1000,
        usage: { ...UNKNOWN_USAGE, costUsd: numberOrNull(run, "costUsd") },
        notes: notesOf(run, outcome),
      };
    }),
  );
}

/** What the case declares, then what only runs name. */
function checksOf(declared: readonly unknown[], runs: readonly unknown[]): readonly ForeignCheck[] {
  const graders = [...declared, ...runs.flatMap((run) => listAt(run, "graders"))];
  const checks = new Map<string, ForeignCheck>();
  for (const grader of graders) {
    const id = textAt(grader, "name");
    if (id === "" || checks.has(id)) continue;
    const type = textAt(grader, "type");
    const [criterion = ""] = textAt(grader, "graderMarkdown").trim().split("\n");
    const text = criterion === "" ? id : `${id}: ${criterion}`;
    checks.set(id, { id, layer: type === "llm" || type === "baseline" ? "L3" : "L1", text });
  }
  return [...checks.values()];
}

function verdictOn(checkId: string, run: Loose): ForeignVerdict {
  const found = listAt(run, "graders").find((one) => textAt(one, "name") === checkId);
  const passed = objectAt(found)["passed"];
  const explanation = textAt(found, "explanation");
  const unscored = (evidence: string) =>
    ({ checkId, status: "unscored", evidence, score: null, entry: null }) as const;
  if (typeof passed !== "boolean")
    return unscored(
      run["skippedPaidGraders"] === true
        ? "the budget was used up before it"
        : "no grader says anything of it",
    );
  if (explanation.startsWith("grader threw")) return unscored(explanation);
  // Only the arm with the plugin is held to it: counted, it would be a difference that the grader makes.
  if (objectAt(found)["scored"] === false)
    return unscored(
      `${passed ? "passed" : "failed"}, and left out of the score: ${explanation || "one arm only"}`,
    );
  const evidence = [explanation, textAt(found, "evidence")].filter((part) => part !== "").join("\n");
  return { checkId, status: passed ? "passed" : "failed", evidence, score: null, entry: null };
}

/** Only what lies in the folder itself: a result may name any file of the machine. */
function transcriptOf(root: string, run: Loose): ForeignRun["transcript"] {
  const named = textOrNull(run, "tracePath");
  if (named === null) return null;
  const path = resolve(root, named);
  return staysIn(root, path) && existsSync(path) ? { kind: "claude-code", path } : null;
}

function outcomeOf(run: Loose, seconds: number | null): Outcome {
  const error = textAt(run, "error");
  if (error === "") return { status: "completed" };
  const [, limit] = /\btime(?:d )?[- ]?out after (\d{1,9}(?:\.\d+)?) ?s/i.exec(error) ?? [];
  if (limit !== undefined) return { status: "timed-out", afterMs: (seconds ?? Number(limit)) * 1000 };
  for (const [pattern, status] of TROUBLES) if (pattern.test(error)) return leftOut(status, error);
  return { status: "crashed", message: error };
}

const TROUBLES: readonly (readonly [RegExp, "rate-limit" | "api"])[] = [
  [/(?:session|usage|rate).?limit|\b429\b/i, "rate-limit"],
  [/overloaded|\b5\d\d\b|api error/i, "api"],
];

function notesOf(run: Loose, { status }: Outcome): readonly string[] {
  const judged = numberOrNull(run, "judgeCostUsd");
  return [
    ...(run["aborted"] === undefined || status !== "completed" ? [] : ["a mock ended it early"]),
    ...(judged === null || judged === 0 ? [] : [`its judge cost $${judged.toFixed(4)}`]),
  ];
}
