import { type Case, type EvalFile, plainCase } from "../../../domain/suite.ts";
import { below, INVALID, type Invalid, type ReadContext } from "../../../lib/shape/shape.ts";
import { allValid, wrongType } from "../../../lib/shape/values.ts";
import { applyAssayKey } from "../../apply-assay-key.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import type { QueryList } from "./content.ts";
import { refuseDuplicates } from "./duplicates.ts";
import { readHead } from "./file-head.ts";
import { uniqueIds } from "./ids.ts";
import { Tally } from "./keys.ts";
import { readTrigger, TRIGGER_KEYS, type TriggerEntry } from "./trigger-entry.ts";

/** A trigger set: queries that must fire the skill, and queries that must not. */
export function loadTriggers(
  document: SourceDocument,
  lists: readonly QueryList[],
  context: LoadContext,
): EvalFile | null {
  const reading = readContext("skill-creator", document, context);
  const keys = lists.flatMap((list) => list.key ?? []);
  const isGrouped = lists.some((list) => list.label !== null);
  const head = readHead(
    document.root,
    {
      lists: keys,
      spelling: keys[0] === undefined ? {} : { queries: isGrouped ? keys : keys[0] },
      skillName: context.skill?.name ?? null,
    },
    reading,
  );
  if (head !== INVALID && head.assay !== null && head.assay.entries.length > 0)
    refuseChecks(document, reading);
  const declaredSkill = head === INVALID ? null : head.skillName;
  const entries = readEntries(lists, context.skill?.name ?? declaredSkill, reading);
  if (head === INVALID || entries === INVALID || (head.assay?.entries.length ?? 0) > 0) return null;
  const ids = uniqueIds(entries.map(wantedId));
  const cases = entries.map((entry, index) =>
    applyAssayKey(
      toCase(entry, ids[index] ?? "", document),
      { file: head.assay, own: entry.assay },
      reading.report,
    ),
  );
  if (!cases.every((evalCase) => evalCase !== null)) return null;
  const { skillName, description, extras } = head;
  return {
    path: document.path,
    format: "skill-creator",
    dialect: "triggers",
    skillName,
    description,
    cases,
    extras,
  };
}

function readEntries(
  lists: readonly QueryList[],
  skillName: string | null,
  reading: ReadContext,
): readonly TriggerEntry[] | Invalid {
  const tally = new Tally();
  const entries = lists.flatMap(({ key, label, list }): readonly (TriggerEntry | Invalid)[] => {
    const place = key === null ? reading : below(reading, key);
    if (list.kind !== "array") return [wrongType(list, place, "a list of queries")];
    const group = label === null || key === null ? null : { key, label };
    return list.elements.map((node, index) => readTrigger(node, { group, skillName }, below(place, index)));
  });
  for (const entry of entries) {
    if (entry !== INVALID) tally.addUnknown(entry.unknown, "a query", TRIGGER_KEYS);
  }
  tally.report(reading);
  const valid = allValid(entries);
  const nodes = lists.flatMap(({ list }) => (list.kind === "array" ? list.elements : []));
  const distinct = refuseDuplicates(nodes, ["id"], reading);
  return valid && distinct ? entries : INVALID;
}

function refuseChecks(document: SourceDocument, reading: ReadContext): void {
  reading.report({
    severity: "error",
    offset: document.root.start,
    code: "misplaced-key",
    message: "the assay key has checks, but a trigger set has no tasks to check",
  });
}

/** Numbers would be those of evals too, so a query's gets a letter. */
function wantedId({ declaredId }: TriggerEntry, index: number): string {
  const number = declaredId ?? index + 1;
  return typeof number === "number" || /^\d+$/.test(number) ? `q${String(number).padStart(3, "0")}` : number;
}

function toCase(entry: TriggerEntry, id: string, document: SourceDocument): Case {
  return {
    ...plainCase({
      id,
      declaredId: entry.declaredId,
      kind: "trigger",
      format: "skill-creator",
      at: document.at(entry.offset),
      prompt: { kind: "turns", turns: [entry.query] },
    }),
    name: entry.name,
    checks: [
      {
        id: "fires",
        layer: "trigger",
        text: entry.expected ? "the skill fires" : "the skill does not fire",
        appliesTo: "every-variant",
        origin: null,
        kind: "fires",
        expected: entry.expected,
        skill: entry.routing.skill,
        forbidden: entry.routing.forbidden,
      },
    ],
    extras: entry.extras,
  };
}
