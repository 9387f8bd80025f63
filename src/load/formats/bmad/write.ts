import type { Check } from "../../../domain/check.ts";
import type { Json, JsonObject } from "../../../domain/json.ts";
import type { Case, EvalFile, Fixture } from "../../../domain/suite.ts";
import { fileNameProblem } from "../../../lib/file-name.ts";
import { normalizeRelative, pathProblem } from "../../../lib/relative-path.ts";
import { assayOrigin } from "../../assay-check.ts";
import { ASSAY_KEY } from "../../assay-key.ts";
import { writeAssayKey } from "../../write-assay-key.ts";
import type { Written, WrittenFile } from "../../format.ts";
import { isLostKey, lostParts, lostWithCheck, withId } from "../../losses.ts";

/** Tasks and triggers live in two files; a file of one kind stays one text. */
export function writeBmad(file: EvalFile): Written {
  const losses: string[] = [];
  const tasks = file.cases.filter((evalCase) => evalCase.kind === "task");
  const triggers = file.cases.filter((evalCase) => evalCase.kind === "trigger");
  const files: WrittenFile[] = [];
  if (tasks.length > 0 || !isTriggers(file)) files.push(taskFile(file, tasks, losses));
  if (triggers.length > 0 || isTriggers(file)) files.push(triggerFile(file, triggers, losses));
  return { text: files[0]?.text ?? "", losses, ...(files.length > 1 ? { files } : {}) };
}

function isTriggers(file: EvalFile): boolean {
  const onlyTriggers = file.cases.length > 0 && file.cases.every((evalCase) => evalCase.kind === "trigger");
  return onlyTriggers || (file.format === "bmad" && file.dialect === "triggers");
}

function taskFile(file: EvalFile, tasks: readonly Case[], losses: string[]): WrittenFile {
  const generation = file.format === "bmad" && file.dialect === "cases" ? CASES : EVALS;
  const { [ASSAY_KEY]: fileKey, ...extras } = file.extras;
  const own = file.format === "bmad";
  const kept = Object.entries(extras).filter(([key]) => own || key.startsWith("_"));
  const entries = tasks.map((evalCase) => toEntry({ evalCase, file, generation, losses }));
  if (file.description !== null) losses.push("BMad cannot express the description of a whole file");
  for (const key of Object.keys(extras)) {
    if (!own && isLostKey(key)) losses.push(`BMad cannot express the file's key ${JSON.stringify(key)}`);
  }
  const document: JsonObject = {
    ...(file.skillName === null ? {} : { [generation.skillKey]: file.skillName }),
    ...Object.fromEntries(kept),
    [generation.listKey]: entries,
    ...(fileKey === undefined ? {} : { [ASSAY_KEY]: fileKey }),
  };
  return { name: generation.fileName, text: toJson(document) };
}

interface Generation {
  readonly fileName: string;
  readonly skillKey: string;
  readonly listKey: string;
  readonly statementsKey: "expectations" | "rubric";
  /** Check ids are this word and a number. */
  readonly noun: string;
}

const EVALS: Generation = {
  fileName: "evals.json",
  skillKey: "skill_name",
  listKey: "evals",
  statementsKey: "expectations",
  noun: "expectation",
};

const CASES: Generation = {
  fileName: "cases.json",
  skillKey: "skill",
  listKey: "cases",
  statementsKey: "rubric",
  noun: "rubric",
};

interface Writing {
  readonly evalCase: Case;
  readonly file: EvalFile;
  readonly generation: Generation;
  readonly losses: string[];
}

function toEntry(writing: Writing): JsonObject {
  const { evalCase, file, generation, losses } = writing;
  const lose = (what: string) => losses.push(`case ${evalCase.id}: ${what}`);
  const statements = toStatements(evalCase, generation);
  for (const change of statements.changes) lose(change);
  const assay = writeAssayKey(
    { ...evalCase, checks: [...statements.hosted, ...statements.others] },
    { hosts: (check) => statements.hosted.includes(check), fileKey: fileKeyOf(file) },
  );
  const files = evalCase.files.filter(isWritable);
  for (const noun of [...lostNouns(evalCase, generation), ...statements.lost, ...assay.losses]) {
    lose(`BMad cannot express ${noun}`);
  }
  return {
    id: toId(evalCase),
    ...promptWords(writing),
    ...(evalCase.expectedOutput === null || generation === CASES
      ? {}
      : { expected_output: evalCase.expectedOutput }),
    ...(files.length === 0 ? {} : { files: files.map(({ declared }) => declared) }),
    [generation.statementsKey]: statements.texts,
    ...timeoutWords(evalCase),
    ...keptExtras(evalCase),
    ...(assay.key === null ? {} : { [ASSAY_KEY]: assay.key }),
  };
}

interface Statements {
  /** Under the ids they will be read back with. */
  readonly hosted: readonly Check[];
  /** For the `assay` key. */
  readonly others: readonly Check[];
  readonly texts: readonly string[];
  /** What the texts say that the case did not. */
  readonly changes: readonly string[];
  readonly lost: readonly string[];
}

function toStatements(evalCase: Case, { noun }: Generation): Statements {
  const isHosted = (check: Check) => check.kind === "criterion" && assayOrigin(check) === null;
  const sources = evalCase.checks.filter(isHosted);
  const hosted = sources.map((check, index) => withId(check, `${noun}-${index + 1}`));
  const taken = new Set([`${noun}-1`, ...hosted.map((check) => check.id)]);
  const others = evalCase.checks
    .filter((check) => !isHosted(check))
    .map((check) => (taken.has(check.id) ? withId(check, `other-${check.id}`) : check));
  const { texts, changes } =
    hosted.length > 0 ? { texts: hosted.map(({ text }) => text), changes: [] } : invented(evalCase);
  return {
    hosted,
    others,
    texts,
    changes,
    lost: sources.flatMap(lostWithCheck),
  };
}

/** BMad requires a statement for every eval. */
function invented({ expectedOutput }: Case): Pick<Statements, "texts" | "changes"> {
  return expectedOutput !== null && expectedOutput.trim() !== ""
    ? { texts: [expectedOutput], changes: ["the expected output becomes a scored expectation"] }
    : {
        texts: ["Does what the prompt asks for."],
        changes: ["BMad requires expectations, so a general one is added"],
      };
}

function fileKeyOf(file: EvalFile): JsonObject | null {
  return (file.extras[ASSAY_KEY] as JsonObject | undefined) ?? null;
}

function isWritable(file: Fixture): file is Fixture & { kind: "path" } {
  return (
    file.kind === "path" && pathProblem(file.declared) === null && normalizeRelative(file.declared) !== ""
  );
}

function lostNouns(evalCase: Case, generation: Generation): readonly string[] {
  const own = evalCase.format === "bmad";
  const unwritable = evalCase.files.filter((file) => file.kind === "path" && !isWritable(file));
  return [
    ...lostParts(evalCase, [
      "files",
      "timeoutSeconds",
      ...(own ? (["overlays"] as const) : []),
      ...(generation === CASES ? [] : (["expected-output"] as const)),
    ]),
    ...unwritable.map(
      (file) => `the file ${JSON.stringify(file.kind === "path" ? file.declared : file.target)}`,
    ),
    ...Object.keys(evalCase.extras)
      .filter((key) => !own && key !== ASSAY_KEY && isLostKey(key))
      .map((key) => `the key ${JSON.stringify(key)}`),
  ];
}

/** A string, as the format has it, unless a file of its own says otherwise. */
function toId({ declaredId, id, format }: Case): string | number {
  if (declaredId === null || fileNameProblem(String(declaredId)) !== null) return id;
  return format === "bmad" ? declaredId : String(declaredId);
}

function promptWords({ evalCase, file, generation }: Writing): JsonObject {
  const { prompt, extras } = evalCase;
  if (prompt.kind === "invocation") {
    const command = file.skillName === null ? "" : `/${file.skillName}`;
    return { prompt: `${command} ${prompt.args}`.trim() || "Run the skill." };
  }
  const message = prompt.turns.join("\n\n");
  if (generation === EVALS) return { prompt: message };
  const prefix = extras["state_prefix"];
  const start = typeof prefix === "string" && prefix !== "" ? `${prefix}\n\n` : "";
  return { input: message.startsWith(start) ? message.slice(start.length) : message };
}

/** Whole seconds, at least one. */
function timeoutWords({ settings: { timeoutSeconds } }: Case): JsonObject {
  return timeoutSeconds === null ? {} : { timeout: Math.max(1, Math.ceil(timeoutSeconds)) };
}

function keptExtras({ format, extras }: Case): JsonObject {
  const kept = Object.entries(extras).filter(
    ([key]) => key !== ASSAY_KEY && (format === "bmad" || key.startsWith("_")),
  );
  return Object.fromEntries(kept);
}

function triggerFile(file: EvalFile, triggers: readonly Case[], losses: string[]): WrittenFile {
  if (triggers.length === file.cases.length) {
    const named = [
      ...(file.skillName === null ? [] : [`the skill's name ${JSON.stringify(file.skillName)}`]),
      ...(file.description === null ? [] : ["the description of a whole file"]),
      ...Object.keys(file.extras).map((key) => `the file's key ${JSON.stringify(key)}`),
    ];
    losses.push(...named.map((noun) => `BMad's trigger list cannot express ${noun}`));
  }
  const entries = triggers.map((evalCase) => toTrigger(evalCase, losses));
  return { name: "triggers.json", text: toJson(entries) };
}

function toTrigger(evalCase: Case, losses: string[]): JsonObject {
  const fires = evalCase.checks.find((check) => check.kind === "fires");
  const routing = { ...evalCase, checks: fires === undefined ? [] : [fires], reference: null };
  const assay = writeAssayKey(routing, { hosts: () => false });
  const { prompt } = evalCase;
  const others = evalCase.checks.filter((check) => check !== fires);
  const lost = [
    ...lostParts(evalCase, []),
    ...others.map((check) => `the check ${JSON.stringify(check.text)} on a trigger query`),
    ...Object.keys(evalCase.extras)
      .filter((key) => evalCase.format !== "bmad" && key !== ASSAY_KEY && isLostKey(key))
      .map((key) => `the key ${JSON.stringify(key)}`),
    ...(evalCase.declaredId === null
      ? []
      : [`the id ${JSON.stringify(evalCase.declaredId)} of a trigger query`]),
  ];
  losses.push(...lost.map((noun) => `case ${evalCase.id}: BMad cannot express ${noun}`));
  return {
    query: prompt.kind === "turns" ? prompt.turns.join("\n\n") : prompt.args,
    should_trigger: fires?.kind === "fires" ? fires.expected : true,
    ...keptExtras(evalCase),
    ...(assay.key === null ? {} : { [ASSAY_KEY]: assay.key }),
  };
}

function toJson(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
