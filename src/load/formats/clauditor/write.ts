import { basename } from "node:path";
import type { JsonObject } from "../../../domain/json.ts";
import { type Case, type CaseSettings, type EvalFile, NO_SETTINGS } from "../../../domain/suite.ts";
import { ASSAY_KEY } from "../../assay-key.ts";
import { writeAssayKey } from "../../write-assay-key.ts";
import type { Written } from "../../format.ts";
import { isLostKey } from "../../losses.ts";
import { taskLosses, triggerLosses } from "./losses.ts";
import { isHosted, spellAssertion, spellCriterion, spellSection } from "./spell.ts";

/** One file for each task, the trigger queries in the first. Defaults are left out. */
export function writeSpec(file: EvalFile): Written {
  const tasks = file.cases.filter((evalCase) => evalCase.kind === "task");
  const triggers = file.cases.filter((evalCase) => evalCase.kind === "trigger");
  const written = (tasks.length === 0 ? [null] : tasks).map((task, index) => ({
    name: `${task?.id ?? "triggers"}.eval.json`,
    spec: writeOne(file, task, index === 0 ? triggers : []),
  }));
  const losses = [...fileLosses(file), ...written.flatMap(({ spec }) => spec.losses)];
  const files = written.map(({ name, spec }) => ({ name, text: spec.text }));
  return { text: files[0]?.text ?? "", losses, ...(files.length > 1 ? { files } : {}) };
}

function writeOne(
  file: EvalFile,
  task: Case | null,
  triggers: readonly Case[],
): { text: string; losses: readonly string[] } {
  const assay = task === null ? null : writeAssayKey(task, { hosts: isHosted });
  const settings = task?.settings ?? triggers[0]?.settings ?? NO_SETTINGS;
  const words = withoutEmpty({
    skill_name: file.skillName,
    description: file.description,
    ...(task === null ? {} : taskWords(task)),
    ...settingWords(settings, task?.format === "clauditor" ? task.extras : {}),
    trigger_tests: triggerWords(triggers, file),
  });
  const key = assay?.key ?? null;
  const document = { ...words, ...keptKeys(file, task), ...(key === null ? {} : { [ASSAY_KEY]: key }) };
  return {
    text: `${JSON.stringify(document, null, 2)}\n`,
    losses: [
      ...(task === null ? [] : taskLosses(task, assay?.losses ?? [])),
      ...triggers.flatMap(triggerLosses),
    ],
  };
}

function taskWords(task: Case): JsonObject {
  const { output, prompt } = task;
  const hosted = task.checks.filter(isHosted);
  return {
    test_args: emptyAsNull(prompt.kind === "invocation" ? prompt.args : prompt.turns.join("\n\n")),
    user_prompt: task.settings.userPrompt,
    system_prompt: task.settings.systemPrompt,
    input_files: emptyAsNull(task.files.flatMap((file) => (file.kind === "path" ? [file.declared] : []))),
    assertions: emptyAsNull(hosted.flatMap((check) => spellAssertion(check, task.format) ?? [])),
    sections: emptyAsNull(task.sections.map(spellSection)),
    output_file: output.kind === "files" ? output.file : null,
    output_files: output.kind === "files" ? emptyAsNull(output.patterns) : null,
    grading_criteria: emptyAsNull(hosted.flatMap((check) => spellCriterion(check, task.format) ?? [])),
  };
}

function settingWords(settings: CaseSettings, extras: JsonObject): JsonObject {
  const { gradeThresholds, variance } = settings;
  return {
    grading_model: settings.gradingModel,
    grading_provider: settings.gradingProvider === "auto" ? null : settings.gradingProvider,
    grade_thresholds:
      gradeThresholds === null
        ? null
        : {
            ...withoutEmpty({
              min_pass_rate: gradeThresholds.minPassRate,
              min_mean_score: gradeThresholds.minMeanScore,
            }),
            ...objectAt(extras, "grade_thresholds"),
          },
    variance:
      variance === null
        ? null
        : {
            ...withoutEmpty({ n_runs: variance.runs, min_stability: variance.minStability }),
            ...objectAt(extras, "variance"),
          },
    timeout: settings.timeoutSeconds,
    transport: settings.transport === "auto" ? null : settings.transport,
    harness: settings.harness === "auto" ? null : settings.harness,
    allow_hang_heuristic: settings.allowHangHeuristic === false ? false : null,
    sync_tasks: settings.syncTasks === true ? true : null,
  };
}

function triggerWords(triggers: readonly Case[], file: EvalFile): JsonObject | null {
  const queries = (expected: boolean) =>
    triggers
      .filter((trigger) =>
        trigger.checks.some((check) => check.kind === "fires" && check.expected === expected),
      )
      .map(({ prompt }) => (prompt.kind === "turns" ? prompt.turns.join("\n\n") : prompt.args));
  const words = {
    ...withoutEmpty({
      should_trigger: emptyAsNull(queries(true)),
      should_not_trigger: emptyAsNull(queries(false)),
    }),
    ...(file.format === "clauditor" ? objectAt(file.extras, "trigger_tests") : {}),
  };
  return Object.keys(words).length > 0 ? words : null;
}

/** Keys that only the author knows the meaning of: all of our own files, of others those that start with `_`. */
function keptKeys(file: EvalFile, task: Case | null): JsonObject {
  const own = Object.entries(file.extras).filter(([key]) =>
    file.format === "clauditor" ? key !== "trigger_tests" : key.startsWith("_"),
  );
  const ofTask = Object.entries(task?.extras ?? {}).filter(([key]) => key.startsWith("_"));
  return Object.fromEntries([...ofTask, ...own]);
}

function fileLosses(file: EvalFile): readonly string[] {
  if (file.format === "clauditor") return [];
  return Object.keys(file.extras)
    .filter((key) => isLostKey(key) && key !== ASSAY_KEY)
    .map((key) => `${basename(file.path)}: clauditor cannot express the key ${JSON.stringify(key)}`);
}

function withoutEmpty(words: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== null));
}

function emptyAsNull<T extends { readonly length: number }>(value: T): T | null {
  return value.length === 0 ? null : value;
}

function objectAt(extras: JsonObject, key: string): JsonObject {
  const value = extras[key];
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : {};
}
