import type { JsonObject } from "../../../domain/json.ts";
import { type DocEntry, type DocNode, toPlain } from "../../../lib/document/node.ts";
import { INVALID, type Invalid, type ReadContext } from "../../../lib/shape/shape.ts";
import { text } from "../../../lib/shape/values.ts";
import { ASSAY_KEY, type AssayKey, assayKeyShape } from "../../assay-key.ts";
import { leftOver, pick, type Spelled, Tally, toExtras } from "./keys.ts";
import { withSpelling } from "./spelling.ts";

/** What stands at the top of a file beside its lists; all empty for a bare list. */
export interface FileHead {
  readonly skillName: string | null;
  readonly description: string | null;
  readonly assay: AssayKey | null;
  readonly extras: JsonObject;
}

export const HEAD_FIELDS = {
  skill_name: { names: ["skill_name", "skill"], shape: text() },
  description: { names: ["description"], shape: text({ blank: "allowed" }) },
  assay: { names: [ASSAY_KEY], shape: assayKeyShape("file") },
} satisfies Record<string, Spelled<unknown>>;

/** Reads everything but the lists under `lists`; `spelling` is kept with the file. */
export function readHead(
  root: DocNode,
  options: {
    readonly lists: readonly string[];
    readonly spelling: JsonObject;
    readonly skillName: string | null;
  },
  context: ReadContext,
): FileHead | Invalid {
  const skillName = pick(root, HEAD_FIELDS.skill_name, context);
  const description = pick(root, HEAD_FIELDS.description, context);
  const assay = pick(root, HEAD_FIELDS.assay, context);
  if (skillName === INVALID || description === INVALID || assay === INVALID) return INVALID;
  const read = new Set([skillName, description, assay].flatMap((picked) => picked?.entry ?? []));
  const unknown = leftOver(
    root,
    new Set([...read, ...listEntries(root, options.lists)]),
    Object.keys(HEAD_FIELDS),
  );
  const tally = new Tally();
  const noted = unknown.filter(({ key }) => key !== "$schema");
  tally.addUnknown(noted, "the file", [...Object.keys(HEAD_FIELDS), ...options.lists]);
  tally.report(context);
  if (skillName !== null) noteMismatch(skillName, options.skillName, context);
  return {
    skillName: skillName?.value ?? null,
    description: description?.value ?? null,
    assay: assay?.value ?? null,
    extras: withSpelling(
      { ...toExtras(unknown), ...(assay === null ? {} : { [ASSAY_KEY]: toPlain(assay.entry.value) }) },
      {
        ...options.spelling,
        ...(skillName?.entry.key === "skill" ? { skill_name: "skill" } : {}),
      },
    ),
  };
}

function listEntries(root: DocNode, lists: readonly string[]): readonly DocEntry[] {
  return root.kind === "object" ? root.entries.filter((entry) => lists.includes(entry.key)) : [];
}

function noteMismatch(
  declared: { readonly value: string; readonly entry: DocEntry },
  skillName: string | null,
  context: ReadContext,
): void {
  if (skillName === null || declared.value === skillName) return;
  context.report({
    severity: "note",
    offset: declared.entry.value.start,
    code: "skill-name",
    message: `${declared.entry.key} is ${JSON.stringify(declared.value)}, but the skill is called ${JSON.stringify(skillName)}`,
    hint: "the skill's own name is used",
  });
}
