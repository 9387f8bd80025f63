import { dirname } from "node:path";
import type { Check } from "../../../domain/check.ts";
import { type Case, type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { toPlain, valueOf } from "../../../lib/document/node.ts";
import { INVALID, type ReadContext } from "../../../lib/shape/shape.ts";
import type { Located } from "../../../lib/shape/values.ts";
import { applyAssayKey } from "../../apply-assay-key.ts";
import { ASSAY_KEY, type AssayKey } from "../../assay-key.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import { noteEmpty, noteHeadless, noteIntegerIds, reportDuplicates } from "./notes.ts";
import { refuse } from "./refusals.ts";
import { type BmadTrigger, CASE_LIST, CASES_FILE, EVALS_FILE, TRIGGER_LIST } from "./shape.ts";
import { nearest } from "../../../lib/nearest.ts";
import { bmadDirectory, overlayNames, overlaysOf, toFixture } from "./surroundings.ts";
import { fromCase, fromEval, type Task } from "./task.ts";

export async function loadBmad(document: SourceDocument, context: LoadContext): Promise<EvalFile | null> {
  const dialect = dialectOf(document);
  const loading: Loading = { document, context, reading: readContext("bmad", document, context) };
  switch (dialect) {
    case "evals":
      return loadEvals(loading);
    case "cases":
      return loadCases(loading);
    case "triggers":
      return loadTriggers(loading);
    case "fragment-selection":
    case "interview":
      return refuse(dialect, loading.reading, document.root);
  }
}

interface Loading {
  readonly document: SourceDocument;
  readonly context: LoadContext;
  readonly reading: ReadContext;
}

async function loadEvals(loading: Loading): Promise<EvalFile | null> {
  const read = EVALS_FILE.read(loading.document.root, loading.reading);
  if (read === INVALID) return null;
  const tasks = read.evals.map(fromEval);
  if (await isCertainlyBmad(tasks, loading.document.path)) noteIntegerIds(tasks, loading.reading);
  const cases = await finishTasks(tasks, read.assay, loading);
  return cases && toFile(loading, "evals", { cases, skillName: read.skill_name, extras: read.extras });
}

/** skill-creator's evals, whose ids are integers, may lie outside of their skill too. */
async function isCertainlyBmad(tasks: readonly Task[], path: string): Promise<boolean> {
  if (tasks.some(({ id }) => typeof id.value === "string")) return true;
  const { overlays, triggers } = await bmadDirectory(dirname(path));
  return overlays || triggers;
}

/** An overlay that no eval has is a slip of the pen that would change what is tested. */
async function noteStrayOverlays(cases: readonly Case[], { document, reading }: Loading): Promise<void> {
  const ids = cases.map(({ id }) => id);
  for (const name of (await overlayNames(document.path)).filter((one) => !ids.includes(one))) {
    const near = nearest(name, ids);
    reading.report({
      severity: "note",
      offset: document.root.start,
      code: "stray-overlay",
      message: `the overlay ${name}/setup matches no eval in this file`,
      ...(near !== null && { hint: `did you mean ${JSON.stringify(near)}?` }),
    });
  }
}

async function loadCases(loading: Loading): Promise<EvalFile | null> {
  const { root } = loading.document;
  const shape = root.kind === "array" ? CASE_LIST : CASES_FILE;
  const read = shape.read(root, loading.reading);
  if (read === INVALID) return null;
  const file = "cases" in read ? read : { cases: read, skill: null, assay: null, extras: {} };
  const cases = await finishTasks(file.cases.map(fromCase), file.assay, loading);
  return cases && toFile(loading, "cases", { cases, skillName: file.skill, extras: file.extras });
}

function loadTriggers(loading: Loading): EvalFile | null {
  const { document, reading } = loading;
  const read = TRIGGER_LIST.read(document.root, reading);
  if (read === INVALID) return null;
  const cases = read.map((trigger, index) => toTrigger(trigger, index, loading));
  if (!allUsable(cases)) return null;
  noteEmpty(cases, loading.reading, loading.document.root);
  return toFile(loading, "triggers", { cases, skillName: null, extras: {} });
}

async function finishTasks(
  tasks: readonly Task[],
  fileKey: AssayKey | null,
  loading: Loading,
): Promise<readonly Case[] | null> {
  const distinct = reportDuplicates(tasks, loading.reading);
  const cases = await Promise.all(tasks.map((task) => toCase(task, fileKey, loading)));
  if (!distinct || !allUsable(cases)) return null;
  noteEmpty(cases, loading.reading, loading.document.root);
  noteHeadless(tasks, loading.context.skill, loading.reading);
  await noteStrayOverlays(cases, loading);
  return cases;
}

async function toCase(task: Task, fileKey: AssayKey | null, loading: Loading): Promise<Case | null> {
  const { document, context, reading } = loading;
  const id = String(task.id.value);
  const roots = [...(context.projectRoot === null ? [] : [context.projectRoot]), dirname(document.path)];
  const files = await Promise.all(task.files.map((file) => toFixture(file.value, roots)));
  files.forEach((file, index) => {
    if (file.kind !== "path" || file.problem === null) return;
    reading.report({
      severity: "note",
      offset: task.files[index]?.offset ?? task.offset,
      code: "missing-file",
      message: `the file ${JSON.stringify(file.declared)} ${file.problem}`,
      hint: "a run of this case will fail",
    });
  });
  const own: Case = {
    ...plainCase({
      id,
      declaredId: task.id.value,
      kind: "task",
      format: "bmad",
      at: document.at(task.offset),
      prompt: { kind: "turns", turns: [task.prompt.value] },
    }),
    expectedOutput: task.expectedOutput,
    files,
    overlays: await overlaysOf(document.path, id),
    checks: task.statements.map((text, index) => criterion(`${task.noun}-${index + 1}`, text)),
    settings: { ...NO_SETTINGS, timeoutSeconds: task.timeout },
    extras: task.extras,
  };
  return applyAssayKey(own, { file: fileKey, own: task.assay }, reading.report);
}

function criterion(id: string, text: string): Check {
  return { id, layer: "L3", text, appliesTo: "every-variant", origin: null, kind: "criterion" };
}

function toTrigger({ value, offset }: Located<BmadTrigger>, index: number, loading: Loading): Case | null {
  const own: Case = {
    ...plainCase({
      id: `q${String(index + 1).padStart(3, "0")}`,
      declaredId: null,
      kind: "trigger",
      format: "bmad",
      at: loading.document.at(offset),
      prompt: { kind: "turns", turns: [value.query] },
    }),
    checks: [
      {
        id: "fires",
        layer: "trigger",
        text: value.should_trigger ? "the skill fires" : "the skill does not fire",
        appliesTo: "with-skill",
        origin: null,
        kind: "fires",
        expected: value.should_trigger,
        skill: null,
        forbidden: [],
      },
    ],
    extras: value.extras,
  };
  return applyAssayKey(own, { own: value.assay }, loading.reading.report);
}

function allUsable(cases: readonly (Case | null)[]): cases is readonly Case[] {
  return !cases.includes(null);
}

function toFile(
  { document }: Loading,
  dialect: Dialect,
  content: Pick<EvalFile, "cases" | "skillName" | "extras">,
): EvalFile {
  const fileKey = dialect === "triggers" ? undefined : valueOf(document.root, ASSAY_KEY);
  return {
    path: document.path,
    format: "bmad",
    dialect,
    skillName: content.skillName,
    description: null,
    cases: content.cases,
    extras: fileKey === undefined ? content.extras : { ...content.extras, [ASSAY_KEY]: toPlain(fileKey) },
  };
}
