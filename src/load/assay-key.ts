import type { Check } from "../domain/check.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Case, Reference } from "../domain/suite.ts";
import { type DocNode, toPlain } from "../lib/document/node.ts";
import { type Field, object, type ObjectOutput, optional } from "../lib/shape/object.ts";
import { INVALID, type ReadContext, type Shape, type ShapeProblem } from "../lib/shape/shape.ts";
import { list, type Located, located, record, refine, text, wrongType } from "../lib/shape/values.ts";
import { assayCheckShape, type AssayEntry, assayOrigin, spellCheck } from "./assay-check.ts";
import { workspacePath } from "./assay-words.ts";

/** The key under which any format may carry what only Assay has words for. */
export const ASSAY_KEY = "assay";

/**
 * Where the key stands: at the top of a file with many cases (`file`), on a task (also at the top of a file that is
 * one task), or on a trigger case. It decides which words are allowed.
 */
export type AssayScope = "file" | "task" | "trigger";

/** What one `assay` key says; what its scope does not allow is empty. */
export interface AssayKey {
  readonly entries: readonly AssayEntry[];
  /** Ids of checks of the host format that are not held against a baseline. */
  readonly withOnly: readonly Located<string>[];
  readonly reference: Reference | null;
  readonly mcpServers: JsonObject | null;
  readonly routing: Routing | null;
  /** The author's own `_*` keys. */
  readonly extras: JsonObject;
}

/** Which of many skills a trigger case's query belongs to. */
export interface Routing {
  /** The skill that must answer; on a query that must not fire the skill under test, its expected rival. */
  readonly skill: string | null;
  /** Skills that must stay silent. */
  readonly forbidden: readonly string[];
}

/** The key's shape, to stand among a format's own fields: `assay: optional(assayKeyShape("task"))`. */
export function assayKeyShape(scope: AssayScope): Shape<AssayKey> {
  const fields = FIELDS[scope];
  const elsewhere = Object.fromEntries(
    Object.keys(ALL_FIELDS)
      .filter((key) => !(key in fields))
      .map((key) => [key, scopesOf(key)]),
  );
  const shape = object(fields, { unknownKeys: "error", hints: HINTS });
  return {
    schema: shape.schema,
    read(node, context) {
      const misplaced = reportMisplaced(node, context, { scope, elsewhere });
      const read = shape.read(withoutKeys(node, elsewhere), context);
      if (read === INVALID || misplaced) return INVALID;
      return toKey(read);
    },
  };
}

/**
 * The case with what its own key and its file's key say: checks appended (the file's first, and only to tasks), the
 * rest filled in.
 * Null after a problem was reported: an unknown id in `with_only`, or an id that two checks have.
 */
export function applyAssayKey(
  evalCase: Case,
  keys: { readonly file?: AssayKey | null; readonly own?: AssayKey | null },
  report: (problem: ShapeProblem) => void,
): Case | null {
  const file = keys.file ?? null;
  const own = keys.own ?? null;
  if (file === null && own === null) return evalCase;
  const shared = evalCase.kind === "task" ? (file?.entries ?? []) : [];
  const added = [...shared, ...(own?.entries ?? [])];
  const checks = withUniqueIds(evalCase.checks, added, report);
  const marked = checks === null ? null : markWithOnly(checks, own?.withOnly ?? [], report);
  if (marked === null) return null;
  return {
    ...evalCase,
    checks: marked.map((check) => routed(check, own?.routing ?? null)),
    reference: own?.reference ?? evalCase.reference,
    mcpServers: mergeServers(mergeServers(evalCase.mcpServers, file?.mcpServers), own?.mcpServers),
    extras: mergeExtras(evalCase.extras, own?.extras ?? {}),
  };
}

export interface WrittenAssayKey {
  /** Null when there is nothing to say. */
  readonly key: JsonObject | null;
  /** Checks that neither the host format nor the key has words for, one sentence each. */
  readonly losses: readonly string[];
}

/**
 * The key that restores a case's part which the host format has no words for. `hosts` tells the checks that the
 * format itself writes, under ids that stay as they are; `fileKey` is the key at the top of the file being written.
 */
export function writeAssayKey(
  evalCase: Case,
  options: { readonly hosts: (check: Check) => boolean; readonly fileKey?: JsonObject | null },
): WrittenAssayKey {
  const fileKey = options.fileKey ?? null;
  const hosted = new Set(
    evalCase.checks.filter((check) => assayOrigin(check) === null && options.hosts(check)),
  );
  const others = evalCase.checks.filter(
    (check) => !hosted.has(check) && !(fileKey !== null && assayOrigin(check)?.owner === "file"),
  );
  const spelled = others.map((check) => ({ check, entry: spellCheck(check) }));
  const entries = spelled.flatMap(({ entry }) => (entry === null ? [] : [entry]));
  const withOnly = evalCase.checks
    .filter((check) => (hosted.has(check) ? check.appliesTo === "with-skill" : isMarkedApart(check)))
    .map((check) => check.id);
  const servers = ownServers(evalCase.mcpServers, fileKey);
  const key: JsonObject = {
    ...(evalCase.extras[ASSAY_KEY] as JsonObject | undefined),
    ...(entries.length > 0 ? { checks: entries } : {}),
    ...(withOnly.length > 0 ? { with_only: withOnly } : {}),
    ...(evalCase.reference === null ? {} : { reference: spellReference(evalCase.reference) }),
    ...(servers === null ? {} : { mcp_servers: servers }),
    ...routingWords(evalCase),
  };
  return {
    key: Object.keys(key).length > 0 ? key : null,
    losses: spelled.flatMap(({ check, entry }) =>
      entry === null && check.kind !== "fires"
        ? [`the check ${JSON.stringify(check.text)} (${check.kind})`]
        : [],
    ),
  };
}

const SERVERS = refine(record(anyObject()), (servers): JsonObject => servers);

const ALL_FIELDS = {
  checks: optional(list(assayCheckShape("task"))),
  with_only: optional(list(located(text()))),
  reference: optional(referenceShape()),
  mcp_servers: optional(SERVERS),
  skill: optional(text()),
  forbidden: optional(list(text())),
};

const FIELDS = {
  file: { checks: optional(list(assayCheckShape("file"))), mcp_servers: ALL_FIELDS.mcp_servers },
  task: {
    checks: ALL_FIELDS.checks,
    with_only: ALL_FIELDS.with_only,
    reference: ALL_FIELDS.reference,
    mcp_servers: ALL_FIELDS.mcp_servers,
  },
  trigger: {
    skill: ALL_FIELDS.skill,
    forbidden: ALL_FIELDS.forbidden,
    mcp_servers: ALL_FIELDS.mcp_servers,
  },
} satisfies Record<AssayScope, Partial<Record<keyof typeof ALL_FIELDS, Field<unknown>>>>;

const HINTS = {
  assertions: "checks",
  expectations: "checks",
  mcpServers: "mcp_servers",
  mcp: "mcp_servers",
  with_skill_only: "with_only",
  answer: "reference",
  rival: "skill",
  expect: "skill",
  forbid: "forbidden",
} as const;

function anyObject(): Shape<JsonObject> {
  return {
    schema: { type: "object" },
    read: (node, context) =>
      node.kind === "object" ? (toPlain(node) as JsonObject) : wrongType(node, context, "an object"),
  };
}

function referenceShape(): Shape<Reference> {
  const fields = {
    output: optional(text({ blank: "allowed" })),
    files: optional(record(text({ blank: "allowed" }))),
  };
  return refine(object(fields, { unknownKeys: "error" }), (values, context, node) => {
    const files =
      node.kind === "object" ? node.entries.find((entry) => entry.key === "files")?.value : undefined;
    let valid = true;
    for (const entry of files?.kind === "object" ? files.entries : []) {
      const keyNode: DocNode = { ...entry.keySpan, kind: "string", value: entry.key };
      if (workspacePath().read(keyNode, context) === INVALID) valid = false;
    }
    return valid ? { output: values.output, files: values.files ?? {} } : INVALID;
  });
}

function scopesOf(key: string): string {
  const scopes = Object.entries(FIELDS).filter(([, fields]) => key in fields);
  return scopes.map(([scope]) => PLACES[scope as AssayScope]).join(" or ");
}

const PLACES: Readonly<Record<AssayScope, string>> = {
  file: "at the top of the file",
  task: "on a task",
  trigger: "on a trigger case",
};

function reportMisplaced(
  node: DocNode,
  context: ReadContext,
  { scope, elsewhere }: { scope: AssayScope; elsewhere: Readonly<Record<string, string>> },
): boolean {
  const entries = node.kind === "object" ? node.entries.filter((entry) => entry.key in elsewhere) : [];
  for (const entry of entries) {
    context.report({
      severity: "error",
      offset: entry.keySpan.start,
      code: "misplaced-key",
      message: `the assay key ${JSON.stringify(entry.key)} has no meaning ${PLACES[scope]}`,
      hint: `it belongs ${elsewhere[entry.key] ?? ""}`,
    });
  }
  return entries.length > 0;
}

function withoutKeys(node: DocNode, keys: Readonly<Record<string, string>>): DocNode {
  return node.kind === "object"
    ? { ...node, entries: node.entries.filter((entry) => !(entry.key in keys)) }
    : node;
}

function toKey(values: Partial<ObjectOutput<typeof ALL_FIELDS>>): AssayKey {
  const skill = values.skill ?? null;
  const forbidden = values.forbidden ?? [];
  return {
    entries: values.checks ?? [],
    withOnly: values.with_only ?? [],
    reference: values.reference ?? null,
    mcpServers: values.mcp_servers ?? null,
    routing: skill === null && forbidden.length === 0 ? null : { skill, forbidden },
    extras: values.extras ?? {},
  };
}

/** Two checks may say the same thing; the second then gets a number. A declared id is the author's word. */
function withUniqueIds(
  hosted: readonly Check[],
  added: readonly AssayEntry[],
  report: (problem: ShapeProblem) => void,
): readonly Check[] | null {
  const taken = new Set(hosted.map((check) => check.id));
  let valid = true;
  for (const { check, offset } of added.filter((entry) => !entry.derivedId)) {
    if (taken.has(check.id)) {
      valid = false;
      report({
        severity: "error",
        offset,
        code: "duplicate-id",
        message: `the id ${JSON.stringify(check.id)} is used by two checks of one case`,
      });
    }
    taken.add(check.id);
  }
  const checks = added.map(({ check, derivedId }) => {
    if (!derivedId) return check;
    const id = freeId(check.id, taken);
    taken.add(id);
    return { ...check, id };
  });
  return valid ? [...hosted, ...checks] : null;
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  let number = 2;
  while (taken.has(`${id}#${number}`)) number++;
  return `${id}#${number}`;
}

function markWithOnly(
  checks: readonly Check[],
  withOnly: readonly Located<string>[],
  report: (problem: ShapeProblem) => void,
): readonly Check[] | null {
  const known = new Set(checks.map((check) => check.id));
  const unknown = withOnly.filter(({ value }) => !known.has(value));
  for (const { value, offset } of unknown) {
    report({
      severity: "error",
      offset,
      code: "unknown-check-id",
      message: `with_only names ${JSON.stringify(value)}, but the case has no check with that id`,
      hint: `ids here: ${[...known].join(", ") || "none"}`,
    });
  }
  if (unknown.length > 0) return null;
  const marked = new Set(withOnly.map(({ value }) => value));
  return checks.map((check) => (marked.has(check.id) ? { ...check, appliesTo: "with-skill" } : check));
}

function routed(check: Check, routing: Routing | null): Check {
  if (check.kind !== "fires" || routing === null) return check;
  const forbidden = routing.forbidden.length > 0 ? routing.forbidden : check.forbidden;
  return { ...check, skill: routing.skill ?? check.skill, forbidden };
}

function mergeServers(first: JsonObject | null, second: JsonObject | null | undefined): JsonObject | null {
  return second === null || second === undefined ? first : { ...first, ...second };
}

function mergeExtras(extras: JsonObject, own: JsonObject): JsonObject {
  return Object.keys(own).length > 0 ? { ...extras, [ASSAY_KEY]: own } : extras;
}

/** Declared under an `assay` key, and with-skill only because `with_only` names it. */
function isMarkedApart(check: Check): boolean {
  const declared = assayOrigin(check)?.entry["applies_to"];
  return (
    assayOrigin(check) !== null &&
    check.appliesTo === "with-skill" &&
    declared !== "with-skill" &&
    !(declared === undefined && check.kind === "skill_loaded")
  );
}

function ownServers(servers: JsonObject | null, fileKey: JsonObject | null): JsonObject | null {
  if (servers === null) return null;
  const shared = (fileKey?.["mcp_servers"] ?? {}) as JsonObject;
  const own = Object.entries(servers).filter(
    ([name, server]) => JSON.stringify(shared[name]) !== JSON.stringify(server),
  );
  return own.length > 0 ? Object.fromEntries(own) : null;
}

function spellReference(reference: Reference): JsonObject {
  return {
    ...(reference.output === null ? {} : { output: reference.output }),
    ...(Object.keys(reference.files).length > 0 ? { files: reference.files } : {}),
  };
}

function routingWords(evalCase: Case): JsonObject {
  const check = evalCase.checks.find((candidate) => candidate.kind === "fires");
  if (check?.kind !== "fires") return {};
  return {
    ...(check.skill === null ? {} : { skill: check.skill }),
    ...(check.forbidden.length > 0 ? { forbidden: check.forbidden } : {}),
  };
}
