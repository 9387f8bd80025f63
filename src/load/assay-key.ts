import type { JsonObject } from "../domain/json.ts";
import type { Reference } from "../domain/suite.ts";
import { type DocNode, toPlain } from "../lib/document/node.ts";
import { type Field, object, type ObjectOutput, optional } from "../lib/shape/object.ts";
import { INVALID, type ReadContext, type Shape } from "../lib/shape/shape.ts";
import { list, type Located, located, record, refine, text, wrongType } from "../lib/shape/values.ts";
import { assayCheckShape, type AssayEntry } from "./assay-check.ts";
import { workspacePath } from "./assay-shapes.ts";

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
      message: `the assay key ${JSON.stringify(entry.key)} does nothing ${PLACES[scope]}`,
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
