import type { Check } from "../../../domain/check.ts";
import type { Json, JsonObject } from "../../../domain/json.ts";
import type { DocEntry, DocNode } from "../../../lib/document/node.ts";
import { missingKey } from "../../../lib/shape/object.ts";
import { below, INVALID, type Invalid, type ReadContext } from "../../../lib/shape/shape.ts";
import { number, text, wrongType } from "../../../lib/shape/values.ts";
import { type AssayKey, assayKeyShape } from "../../assay-key.ts";
import { CONTAINERS, OLD_CONTAINERS, readChecks } from "./checks.ts";
import { PROMPT_NAMES } from "./content.ts";
import { type DeclaredFile, FILES } from "./files.ts";
import { type DeclaredId, declaredId } from "./ids.ts";
import { find, leftOver, pick, type Spelled, type Tally, toExtras } from "./keys.ts";
import { withSpelling } from "./spelling.ts";

/** The fields of an eval: the format's own name first, then what else stands for it in real files. */
export const EVAL_FIELDS = {
  id: { names: ["id", "eval_id"], shape: declaredId() },
  name: { names: ["name", "eval_name"], shape: text({ blank: "allowed" }) },
  prompt: { names: PROMPT_NAMES, shape: text() },
  expected_output: {
    names: ["expected_output", "expected", ...OLD_CONTAINERS],
    shape: text({ blank: "allowed" }),
  },
  files: { names: ["files", "input_files"], shape: FILES },
  timeout: { names: ["timeout", "timeout_seconds"], shape: number({ min: 1 }) },
  assay: { names: ["assay"], shape: assayKeyShape("task") },
} satisfies Record<string, Spelled<unknown>>;

/** Spellings that two published documents use; the others get a note. */
const DOCUMENTED = new Set<string>([...Object.keys(EVAL_FIELDS), ...CONTAINERS, "eval_name"]);

const EVAL_KEYS = [...Object.keys(EVAL_FIELDS), ...CONTAINERS];

export interface EvalEntry {
  readonly offset: number;
  readonly declaredId: DeclaredId | null;
  readonly name: string | null;
  readonly prompt: string;
  readonly expectedOutput: string | null;
  readonly files: readonly DeclaredFile[];
  readonly checks: readonly Check[];
  readonly timeoutSeconds: number | null;
  readonly assay: AssayKey | null;
  readonly extras: JsonObject;
}

export function readEval(node: DocNode, context: ReadContext, tally: Tally): EvalEntry | Invalid {
  if (node.kind !== "object") return wrongType(node, context, "an object with a prompt");
  const id = pick(node, EVAL_FIELDS.id, context);
  const name = pickText(node, EVAL_FIELDS.name, context);
  const prompt = readPrompt(node, context);
  const checks = readChecks(node, context);
  const expected = pickText(node, EVAL_FIELDS.expected_output, context);
  const files = pick(node, EVAL_FIELDS.files, context);
  const timeout = pick(node, EVAL_FIELDS.timeout, context);
  const assay = pick(node, EVAL_FIELDS.assay, context);
  if (
    id === INVALID ||
    prompt === INVALID ||
    checks === INVALID ||
    files === INVALID ||
    timeout === INVALID ||
    assay === INVALID
  ) {
    return INVALID;
  }
  const picked = { id, name, prompt, expected_output: expected, files, timeout, assay };
  const read = [...Object.values(picked).flatMap((field) => field?.entry ?? []), ...checks.entries];
  const empty = emptyContainers(node);
  const unknown = leftOver(node, new Set([...read, ...empty]), EVAL_KEYS);
  for (const entry of read) countAlias(entry, tally);
  tally.addUnknown(unknown, "an eval", EVAL_KEYS);
  return {
    offset: node.start,
    declaredId: id?.value ?? null,
    name: name?.value ?? null,
    prompt: prompt.value,
    expectedOutput: expected?.value ?? null,
    files: files?.value ?? [],
    checks: checks.checks,
    timeoutSeconds: timeout?.value ?? null,
    assay: assay?.value ?? null,
    extras: withSpelling(toExtras(unknown), spell(picked, checks.entries)),
  };
}

function readPrompt(node: DocNode, context: ReadContext): { value: string; entry: DocEntry } | Invalid {
  const prompt = pick(node, EVAL_FIELDS.prompt, context);
  if (prompt !== null) return prompt;
  const extras = leftOver(node, new Set(), EVAL_KEYS)
    .map((entry) => entry.key)
    .filter((key) => !EVAL_KEYS.includes(key));
  return missingKey(node, { key: "prompt", extras }, context);
}

/** Context only, so a value of another kind is kept as unknown instead of refusing the file. */
function pickText(
  node: DocNode,
  field: Spelled<string>,
  context: ReadContext,
): { value: string; entry: DocEntry } | null {
  const entry = field.names.map((name) => find(node, [name])).find((found) => found?.value.kind === "string");
  if (entry === undefined || entry === null) return null;
  const value = field.shape.read(entry.value, below(context, entry.key));
  return value === INVALID ? null : { value, entry };
}

/** An empty list of checks says as much as none. */
function emptyContainers(node: DocNode): readonly DocEntry[] {
  return [...CONTAINERS, ...OLD_CONTAINERS]
    .flatMap((name) => find(node, [name]) ?? [])
    .filter((entry) => entry.value.kind === "array" && entry.value.elements.length === 0);
}

function countAlias(entry: DocEntry, tally: Tally): void {
  if (DOCUMENTED.has(entry.key)) return;
  tally.add({
    offset: entry.keySpan.start,
    code: "alias",
    message: `${JSON.stringify(entry.key)} is read as ${JSON.stringify(meaning(entry))}`,
  });
}

function meaning({ key, value }: DocEntry): string {
  if (value.kind === "array" && OLD_CONTAINERS.some((name) => name === key)) return "expectations";
  const fields = Object.entries<Spelled<unknown>>(EVAL_FIELDS);
  return fields.find(([, field]) => field.names.includes(key))?.[0] ?? key;
}

function spell(
  picked: Readonly<Record<string, { readonly entry: DocEntry } | null>>,
  containers: readonly DocEntry[],
): JsonObject {
  const spelled = Object.entries(picked).flatMap(([field, value]): [string, Json][] =>
    value === null || value.entry.key === field ? [] : [[field, value.entry.key]],
  );
  const keys = containers.map((entry) => entry.key);
  const usual = keys.length === 0 || (keys.length === 1 && keys[0] === "expectations");
  return { ...Object.fromEntries(spelled), ...(usual ? {} : { expectations: keys }) };
}
