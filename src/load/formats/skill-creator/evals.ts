import { type Case, type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import type { DocNode } from "../../../lib/document/node.ts";
import { below, INVALID, type Invalid, type ReadContext } from "../../../lib/shape/shape.ts";
import { allValid, wrongType } from "../../../lib/shape/values.ts";
import { applyAssayKey } from "../../apply-assay-key.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { refuseDuplicates } from "./duplicates.ts";
import { EVAL_FIELDS, type EvalEntry, readEval } from "./eval-entry.ts";
import { type FileHead, readHead } from "./file-head.ts";
import { locateFiles } from "./files.ts";
import { uniqueIds } from "./ids.ts";
import { Tally } from "./keys.ts";

/** `evals.json`: tasks with statements to grade. */
export async function loadEvals(
  document: SourceDocument,
  content: { readonly key: string | null; readonly list: DocNode },
  context: LoadContext,
): Promise<EvalFile | null> {
  const reading = readContext("skill-creator", document, context);
  const head = readHead(
    document.root,
    {
      lists: content.key === null ? [] : [content.key],
      spelling: content.key === null ? { evals: null } : {},
      skillName: context.skill?.name ?? null,
    },
    reading,
  );
  const entries = readEntries(content, reading);
  if (head === INVALID || entries === INVALID) return null;
  noteIncomplete(content.list, entries, reading);
  const cases = await toCases(entries, { document, context, reading, head });
  if (cases === null) return null;
  const { skillName, description, extras } = head;
  return {
    path: document.path,
    format: "skill-creator",
    dialect: "evals",
    skillName,
    description,
    cases,
    extras,
  };
}

function readEntries(
  { key, list }: { readonly key: string | null; readonly list: DocNode },
  reading: ReadContext,
): readonly EvalEntry[] | Invalid {
  const place = key === null ? reading : below(reading, key);
  if (list.kind !== "array") return wrongType(list, place, "a list of evals");
  const tally = new Tally();
  const entries = list.elements.map((node, index) => readEval(node, below(place, index), tally));
  tally.report(reading);
  const valid = allValid(entries);
  const distinct = refuseDuplicates(list.elements, EVAL_FIELDS.id.names, reading);
  return valid && distinct ? entries : INVALID;
}

/** What a reader of the results should know before the run. */
function noteIncomplete(list: DocNode, entries: readonly EvalEntry[], reading: ReadContext): void {
  const note = (code: string, message: string, hint: string) =>
    reading.report({ severity: "note", offset: list.start, code, message, hint });
  const nameless = entries.filter((entry) => entry.declaredId === null).length;
  const ungraded = entries.filter(
    (entry) => entry.checks.length + (entry.assay?.entries.length ?? 0) === 0,
  ).length;
  if (entries.length === 0) note("no-evals", "the file has no evals", "add at least one with a prompt");
  if (nameless > 0) {
    note(
      "synthetic-id",
      `${nameless} of ${entries.length} evals have no id, so their position is used`,
      "add ids to keep results comparable when evals move",
    );
  }
  if (ungraded > 0) {
    note(
      "ungraded",
      `${ungraded} of ${entries.length} evals have no checks, so they run without being graded`,
      'add "expectations" once you have seen first outputs',
    );
  }
}

interface CaseParts {
  readonly document: SourceDocument;
  readonly context: LoadContext;
  readonly reading: ReadContext;
  readonly head: FileHead;
}

async function toCases(entries: readonly EvalEntry[], parts: CaseParts): Promise<readonly Case[] | null> {
  const ids = uniqueIds(entries.map((entry, index) => String(entry.declaredId ?? index + 1)));
  const cases = await Promise.all(entries.map((entry, index) => toCase(entry, ids[index] ?? "", parts)));
  return cases.every((evalCase) => evalCase !== null) ? cases : null;
}

async function toCase(entry: EvalEntry, id: string, parts: CaseParts): Promise<Case | null> {
  const { document, context, reading, head } = parts;
  const roots = {
    evalFile: document.path,
    skillRoot: context.skill?.layout === "directory" ? context.skill.root : null,
    projectRoot: context.projectRoot,
  };
  const own: Case = {
    ...plainCase({
      id,
      declaredId: entry.declaredId,
      kind: "task",
      format: "skill-creator",
      at: document.at(entry.offset),
      prompt: { kind: "turns", turns: [entry.prompt] },
    }),
    name: entry.name,
    expectedOutput: entry.expectedOutput,
    files: await locateFiles(entry.files, roots, reading),
    checks: entry.checks,
    settings: { ...NO_SETTINGS, timeoutSeconds: entry.timeoutSeconds },
    extras: entry.extras,
  };
  return applyAssayKey(own, { file: head.assay, own: entry.assay }, reading.report);
}
