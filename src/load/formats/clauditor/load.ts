import { type Case, type CaseSettings, type EvalFile, plainCase } from "../../../domain/suite.ts";
import { NO_SETTINGS } from "../../../domain/suite.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { fileNameProblem } from "../../../lib/file-name.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import { applyAssayKey } from "../../apply-assay-key.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { specChecks } from "./checks.ts";
import { readInputFiles } from "./input-files.ts";
import { checkNames } from "./names.ts";
import { checkProvider, checkTriggers, noteOtherSkill, noteProvider } from "./rules.ts";
import { skillNameFromPath } from "./skill-name.ts";
import { SPEC, type Spec } from "./spec-shape.ts";
import { triggerCases } from "./triggers.ts";

/** The one dialect of the format. */
export const DIALECT = "spec";

/** One task and the trigger queries. Every rule is tried, so that all problems show at once. */
export async function loadSpec(document: SourceDocument, context: LoadContext): Promise<EvalFile | null> {
  const reading = readContext("clauditor", document, context);
  const spec = SPEC.read(document.root, reading);
  noteProvider(document.root, reading);
  const fine = [checkNames, checkTriggers, checkProvider].map((rule) =>
    rule(document.root, reading, context),
  );
  const files = await readInputFiles(document.root, document.path, reading);
  if (spec === INVALID || files === null || fine.includes(false)) return null;
  noteOtherSkill(document, context, reading);
  const skillName = spec.skill_name ?? skillNameFromPath(document.path);
  const own = { ...toTask(spec, skillName, document), files };
  const task = applyAssayKey(own, { own: spec.assay }, reading.report);
  if (task === null) return null;
  const triggers = triggerCases(spec.trigger_tests, graderSettings(spec), document);
  return {
    path: document.path,
    format: "clauditor",
    dialect: DIALECT,
    skillName,
    description: spec.description,
    cases: triggers.length > 0 && saysNothing(task) ? triggers : [task, ...triggers],
    extras: { ...spec.extras, ...nonEmpty({ trigger_tests: spec.trigger_tests?.extras ?? {} }) },
  };
}

function toTask(spec: Spec, skillName: string, document: SourceDocument): Case {
  return {
    ...plainCase({
      id: caseId(skillName),
      declaredId: null,
      kind: "task",
      format: "clauditor",
      at: document.at(document.root.start),
      prompt: { kind: "invocation", args: spec.test_args },
    }),
    output:
      spec.output_file === null && spec.output_files.length === 0
        ? { kind: "messages" }
        : { kind: "files", file: spec.output_file, patterns: spec.output_files },
    sections: spec.sections,
    checks: specChecks(spec),
    settings: toSettings(spec),
    extras: innerExtras(spec),
  };
}

/** Safe as a directory name; the skill's name itself wherever it can be. */
function caseId(skillName: string): string {
  if (fileNameProblem(skillName) === null) return skillName;
  const slug = skillName.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, "");
  const short = Array.from(slug).slice(0, 40).join("");
  return short === "" || fileNameProblem(short) !== null ? "task" : short;
}

/** `auto`, and what a switch is anyway, say nothing. */
function toSettings(spec: Spec): CaseSettings {
  return {
    ...NO_SETTINGS,
    ...graderSettings(spec),
    timeoutSeconds: spec.timeout,
    gradeThresholds: toThresholds(spec),
    variance:
      spec.variance === null
        ? null
        : { runs: spec.variance.n_runs, minStability: spec.variance.min_stability },
    syncTasks: spec.sync_tasks ? true : null,
    allowHangHeuristic: spec.allow_hang_heuristic ? null : false,
    systemPrompt: spec.system_prompt,
    userPrompt: spec.user_prompt,
  };
}

/** An object that sets neither bound is none, so that every criterion has to pass. */
function toThresholds({ grade_thresholds: thresholds }: Spec): CaseSettings["gradeThresholds"] {
  const { min_pass_rate: minPassRate = null, min_mean_score: minMeanScore = null } = thresholds ?? {};
  return minPassRate === null && minMeanScore === null ? null : { minPassRate, minMeanScore };
}

const SHARED_SETTINGS: ReadonlySet<string> = new Set([
  "harness",
  "transport",
  "gradingProvider",
  "gradingModel",
]);

/** What a trigger query shares with the task. */
function graderSettings(
  spec: Spec,
): Pick<CaseSettings, "harness" | "transport" | "gradingProvider" | "gradingModel"> {
  return {
    harness: spec.harness === "auto" ? null : spec.harness,
    transport: spec.transport === "auto" ? null : spec.transport,
    gradingProvider: spec.grading_provider === "auto" ? null : spec.grading_provider,
    gradingModel: spec.grading_model,
  };
}

/** Unknown keys of the objects inside, under the object's own key. */
function innerExtras(spec: Spec): JsonObject {
  return nonEmpty({
    grade_thresholds: spec.grade_thresholds?.extras ?? {},
    variance: spec.variance?.extras ?? {},
  });
}

function nonEmpty(objects: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(objects).filter(([, inner]) => Object.keys(inner).length > 0));
}

/** A file of trigger queries alone has no task to run. */
function saysNothing(task: Case): boolean {
  return (
    task.prompt.kind === "invocation" &&
    task.prompt.args === "" &&
    task.files.length + task.checks.length + task.sections.length === 0 &&
    task.output.kind === "messages" &&
    task.reference === null &&
    task.mcpServers === null &&
    Object.keys(task.extras).length === 0 &&
    Object.entries(task.settings).every(([key, value]) => value === null || SHARED_SETTINGS.has(key))
  );
}
