import type { Check } from "../../../domain/check.ts";
import type { Json, JsonObject } from "../../../domain/json.ts";
import type { Case, EvalFile, Fixture } from "../../../domain/suite.ts";
import { normalizeRelative } from "../../../lib/relative-path.ts";
import { assayOrigin } from "../../assay-check.ts";
import { ASSAY_KEY } from "../../assay-key.ts";
import { writeAssayKey } from "../../write-assay-key.ts";
import type { Written } from "../../format.ts";
import { isLostKey, lostParts } from "../../losses.ts";
import { isPositionId, positionId } from "./checks.ts";
import { nameOf, SPELLING_KEY, spellingOf } from "./spelling.ts";
import { triggerEntry, triggerList, type WrittenCase } from "./write-trigger.ts";

/** An evals file, a trigger set, or both where the file to convert holds both. */
export function writeFile(file: EvalFile): Written {
  const tasks = file.cases.filter((evalCase) => evalCase.kind === "task");
  const triggers = file.cases.filter((evalCase) => evalCase.kind === "trigger");
  const own = file.format === "skill-creator";
  const parts = [
    ...(tasks.length > 0 || triggers.length === 0 ? [evalsPart(file, tasks)] : []),
    ...(triggers.length > 0 ? [triggersPart(file, triggers)] : []),
  ];
  const [only, ...more] = own && file.dialect === "triggers" ? [triggersPart(file, triggers)] : parts;
  const files = [only, ...more].flatMap((part) =>
    part === undefined ? [] : [{ name: part.name, text: part.text }],
  );
  return {
    text: only?.text ?? "",
    ...(files.length > 1 ? { files } : {}),
    losses: [
      ...fileLosses(file, tasks.length > 0),
      ...(only?.losses ?? []),
      ...more.flatMap((part) => part.losses),
    ],
  };
}

interface Part {
  readonly name: string;
  readonly text: string;
  readonly losses: readonly string[];
}

function evalsPart(file: EvalFile, tasks: readonly Case[]): Part {
  const spelling = ownSpelling(file.format, file.extras);
  const numbered = tasks.every((evalCase) => evalCase.declaredId === null);
  const written = tasks.map((evalCase, index) =>
    evalEntry(evalCase, { file, convertedId: numbered ? index + 1 : evalCase.id }),
  );
  const list = written.map(({ entry }) => entry);
  const root = spelling["evals"] === null && canBeBare(file) ? list : { ...fileHead(file), evals: list };
  return { name: "evals.json", text: toText(root), losses: written.flatMap(({ losses }) => losses) };
}

function triggersPart(file: EvalFile, triggers: readonly Case[]): Part {
  const fileKey = fileAssayKey(file);
  const written = triggers.map((evalCase) => {
    const kept = keptExtras(evalCase);
    const { entry, losses } = triggerEntry(evalCase, { extras: kept.extras, fileKey });
    const lost = [...lostParts(evalCase, ["name"]), ...kept.lost];
    return { entry, losses: [...describeLosses(evalCase, lost), ...losses] };
  });
  const root = triggerList(
    written.map(({ entry }, index) => ({ entry, extras: triggers[index]?.extras ?? {} })),
    { head: fileHead(file), spelling: ownSpelling(file.format, file.extras) },
  );
  return { name: "trigger-eval.json", text: toText(root), losses: written.flatMap(({ losses }) => losses) };
}

function evalEntry(
  evalCase: Case,
  { file, convertedId }: { file: EvalFile; convertedId: string | number },
): WrittenCase {
  const own = evalCase.format === "skill-creator";
  const spelling = ownSpelling(evalCase.format, evalCase.extras);
  const { hosted, others } = splitChecks(evalCase);
  const entries = hosted.map(spellStatement);
  const assay = writeAssayKey(
    { ...evalCase, checks: [...hosted, ...others] },
    { hosts: (check) => hosted.includes(check), fileKey: fileAssayKey(file) },
  );
  const kept = keptExtras(evalCase);
  const id = evalCase.declaredId ?? (own ? null : convertedId);
  const name = evalCase.name ?? (own || evalCase.declaredId !== null ? null : evalCase.id);
  const files = evalCase.files.map(spellFile);
  const { timeoutSeconds: timeout } = evalCase.settings;
  const entry: JsonObject = {
    ...(id === null ? {} : { [nameOf(spelling, "id")]: id }),
    ...(name === null ? {} : { [nameOf(spelling, "name")]: name }),
    [nameOf(spelling, "prompt")]: toPrompt(evalCase, file),
    ...(evalCase.expectedOutput === null
      ? {}
      : { [nameOf(spelling, "expected_output")]: evalCase.expectedOutput }),
    ...(files.length > 0 ? { [nameOf(spelling, "files")]: files } : {}),
    ...(entries.length > 0
      ? Object.fromEntries(containersOf(spelling).map((container): [string, Json] => [container, entries]))
      : {}),
    ...(timeout === null ? {} : { [nameOf(spelling, "timeout")]: timeout }),
    ...kept.extras,
    ...(assay.key === null ? {} : { [ASSAY_KEY]: assay.key }),
  };
  const lost = [
    ...lostParts(evalCase, ["name", "expected-output", "files", "inline-files", "timeoutSeconds"]),
    ...hosted.flatMap(lostOfStatement),
    ...evalCase.files.flatMap(lostOfFile),
    ...assay.losses,
    ...kept.lost,
  ];
  return { entry, losses: describeLosses(evalCase, lost) };
}

/** Statements go into `expectations`; everything else under the `assay` key, out of the way of their ids. */
function splitChecks({ checks, format }: Case): { hosted: readonly Check[]; others: readonly Check[] } {
  const isTyped = (check: Check): boolean => format === "skill-creator" && check.origin !== null;
  const statements = checks.filter(
    (check) => (check.kind === "criterion" || isTyped(check)) && assayOrigin(check) === null,
  );
  const hosted =
    format === "skill-creator"
      ? statements
      : statements.map((check, index) =>
          GENERATED_ID.test(check.id) ? withId(check, positionId(index)) : check,
        );
  const taken = new Set(hosted.map((check) => check.id));
  const others = checks
    .filter((check) => !statements.includes(check))
    .map((check) => (taken.has(check.id) ? withId(check, `other-${check.id}`) : check));
  return { hosted, others };
}

/** Ids made from a position say nothing that the position does not. */
const GENERATED_ID = /^(?:expectation|assertion|rubric|criterion|check)-\d+$|^expected$/;

function withId(check: Check, id: string): Check {
  return { ...check, id };
}

/** A text, unless its id or its origin says more. */
function spellStatement(check: Check, index: number): Json {
  if (isOwnStatement(check)) return check.origin;
  return isPositionId(check.id, index) ? check.text : { id: check.id, text: check.text };
}

function isOwnStatement(check: Check): boolean {
  const { origin } = check;
  if (check.kind !== "criterion") return true;
  return typeof origin === "object" && origin !== null && Object.values(origin).includes(check.text);
}

function lostOfStatement(check: Check): readonly string[] {
  return check.origin === null || isOwnStatement(check)
    ? []
    : [`other details of the check ${JSON.stringify(check.text)}`];
}

function containersOf(spelling: JsonObject): readonly string[] {
  const containers = spelling["expectations"];
  return Array.isArray(containers) ? containers.map(String) : ["expectations"];
}

function spellFile(file: Fixture): Json {
  return file.kind === "inline" ? { name: file.target, content: file.content } : file.declared;
}

/** skill-creator stages a file where it is declared. */
function lostOfFile(file: Fixture): readonly string[] {
  if (file.kind === "inline" || file.source === null || normalizeRelative(file.declared) === file.target)
    return [];
  return [`the place ${file.target} of the file ${file.declared}`];
}

function toPrompt({ prompt }: Case, file: EvalFile): string {
  if (prompt.kind === "turns") return prompt.turns.join("\n\n");
  const command = file.skillName === null ? "" : `/${file.skillName}`;
  return `${command} ${prompt.args}`.trim() || "Run the skill.";
}

function fileHead(file: EvalFile): JsonObject {
  const spelling = ownSpelling(file.format, file.extras);
  const own = file.format === "skill-creator";
  const assay = fileAssayKey(file);
  return {
    ...(file.skillName === null ? {} : { [nameOf(spelling, "skill_name")]: file.skillName }),
    ...(file.description === null ? {} : { description: file.description }),
    ...Object.fromEntries(keysOf(file.extras).filter(([key]) => own || key.startsWith("_"))),
    ...(assay === null ? {} : { [ASSAY_KEY]: assay }),
  };
}

/** A bare list has no room for anything beside it. */
function canBeBare(file: EvalFile): boolean {
  return Object.keys(fileHead(file)).length === 0;
}

function fileAssayKey(file: EvalFile): JsonObject | null {
  const key: Json | undefined = file.extras[ASSAY_KEY];
  return typeof key === "object" && key !== null && !Array.isArray(key) ? (key as JsonObject) : null;
}

/** A trigger set that skill-creator reads is a bare list, so the head of the file needs evals beside it. */
function fileLosses(file: EvalFile, hasEvals: boolean): readonly string[] {
  if (file.format === "skill-creator") return [];
  const lost = keysOf(file.extras).filter(([key]) => isLostKey(key));
  const headless = hasEvals ? [] : Object.keys(fileHead(file));
  return [...lost.map(([key]) => key), ...headless].map(
    (key) => `skill-creator cannot express the file's key ${JSON.stringify(key)}`,
  );
}

/** The author's keys: all of them in the format's own files, comments only in what comes from another. */
function keptExtras(evalCase: Case): { extras: JsonObject; lost: readonly string[] } {
  const own = evalCase.format === "skill-creator";
  const keys = keysOf(evalCase.extras);
  return {
    extras: Object.fromEntries(keys.filter(([key]) => own || key.startsWith("_"))),
    lost: own ? [] : keys.filter(([key]) => isLostKey(key)).map(([key]) => `the key ${JSON.stringify(key)}`),
  };
}

function keysOf(extras: JsonObject): [string, Json][] {
  return Object.entries(extras).filter(([key]) => key !== ASSAY_KEY && key !== SPELLING_KEY);
}

function ownSpelling(format: string, extras: JsonObject): JsonObject {
  return format === "skill-creator" ? spellingOf(extras) : {};
}

function describeLosses(evalCase: Case, lost: readonly string[]): readonly string[] {
  return lost.map((noun) => `case ${evalCase.id}: skill-creator cannot express ${noun}`);
}

function toText(root: Json): string {
  return `${JSON.stringify(root, null, 2)}\n`;
}
