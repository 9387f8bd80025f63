import { dirname } from "node:path";
import type { Check } from "../../../domain/check.ts";
import type { Location } from "../../../domain/diagnostic.ts";
import type { Json } from "../../../domain/json.ts";
import { type EvalFile, plainCase } from "../../../domain/suite.ts";
import { parseJson } from "../../../lib/document/json.ts";
import { toPlain } from "../../../lib/document/node.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import { readBeside } from "../../beside.ts";
import { caseId } from "../../case-id.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { leftovers, type TellUnmapped, unmappedIn } from "../../unmapped.ts";
import { type ChecklistEntry, CRITERIA } from "./shape.ts";

/** The one dialect of the format. */
export const DIALECT = "criteria";

/** The scenario that `criteria.json` is part of: the task beside it, and what else lies there. */
export async function loadScenario(document: SourceDocument, context: LoadContext): Promise<EvalFile | null> {
  const reading = readContext("tessl", document, context);
  const read = CRITERIA.read(document.root, reading);
  const folder = dirname(document.path);
  const task = await readBeside(folder, "task.md");
  if (!task.ok || task.text.trim() === "") {
    reading.report({
      severity: "error",
      offset: document.root.start,
      code: "no-task",
      message: `task.md beside criteria.json ${task.ok ? "is empty" : task.problem}`,
      hint: "write what the agent is asked into task.md",
    });
    return null;
  }
  if (read === INVALID) return null;
  const at = document.at(document.root.start);
  const unmapped = unmappedIn("tessl", context);
  const capability = await readBeside(folder, "capability.txt");
  const scenario = await scenarioOf(folder, at, unmapped);
  const ids = entryIds(read.checklist);
  tellScores(read.checklist, document, unmapped);
  unmapped.end();
  return {
    path: document.path,
    format: "tessl",
    dialect: DIALECT,
    skillName: null,
    description: capability.ok ? capability.text.trim() : null,
    cases: [
      {
        ...plainCase({
          id: caseId(folder, context.evalsDirectory ?? null),
          declaredId: null,
          kind: "task",
          format: "tessl",
          at,
          prompt: { kind: "turns", turns: [task.text.trim()] },
        }),
        expectedOutput: read.context === null || read.context.trim() === "" ? null : read.context,
        checks: read.checklist.map((entry, index) => toCheck(entry, ids[index] ?? `check-${index + 1}`)),
        extras: {
          ...read.extras,
          ...leftovers({
            max_score: byId(read.checklist, ids, ({ max_score }) => max_score?.value),
            category: byId(read.checklist, ids, ({ category }) => category?.value),
            "scenario.json": scenario,
          }),
        },
      },
    ],
    extras: {},
  };
}

/** `scenario.json` says where a scenario comes from; no run depends on it. */
async function scenarioOf(folder: string, at: Location, unmapped: TellUnmapped): Promise<Json> {
  const read = await readBeside(folder, "scenario.json");
  if (!read.ok) return null;
  const parsed = parseJson(read.text);
  unmapped.add({
    field: "scenario.json",
    why: "is not used: it describes where the scenario comes from",
    at: { ...at, file: read.path },
  });
  return parsed.ok ? toPlain(parsed.root) : read.text;
}

function tellScores(
  checklist: readonly ChecklistEntry[],
  document: SourceDocument,
  unmapped: TellUnmapped,
): void {
  const differ = new Set(checklist.map(({ max_score }) => max_score?.value ?? 0)).size > 1;
  for (const { max_score, category } of checklist) {
    if (max_score !== null && differ) {
      const why = "is not used: every check counts the same, and none is passed in part";
      unmapped.add({ field: "max_score", why, at: document.at(max_score.offset) });
    }
    if (category !== null)
      unmapped.add({ field: "category", why: "is not used", at: document.at(category.offset) });
  }
}

/** Names, where each is said once; positions otherwise. */
function entryIds(checklist: readonly ChecklistEntry[]): readonly string[] {
  const names = checklist.map(({ name }, index) => name?.trim() ?? `check-${index + 1}`);
  return new Set(names).size === names.length ? names : names.map((_, index) => `check-${index + 1}`);
}

function toCheck({ description, extras }: ChecklistEntry, id: string): Check {
  return {
    id,
    layer: "L3",
    kind: "criterion",
    text: description,
    appliesTo: "every-variant",
    origin: Object.keys(extras).length === 0 ? null : extras,
  };
}

function byId(
  checklist: readonly ChecklistEntry[],
  ids: readonly string[],
  of: (entry: ChecklistEntry) => Json | undefined,
): Json {
  const entries = checklist.flatMap((entry, index) => {
    const value = of(entry);
    return value === undefined ? [] : [[ids[index] ?? "", value] as const];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
