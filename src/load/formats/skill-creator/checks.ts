import type { Check, Claim } from "../../../domain/check.ts";
import { sentenceOf } from "../../../domain/checks/index.ts";
import type { Json } from "../../../domain/json.ts";
import { type DocEntry, type DocNode, toPlain, valueOf } from "../../../lib/document/node.ts";
import {
  below,
  INVALID,
  type Invalid,
  invalid,
  pathText,
  type ReadContext,
  type Shape,
} from "../../../lib/shape/shape.ts";
import { list, text, wrongType } from "../../../lib/shape/values.ts";
import { find } from "./keys.ts";
import { typedClaim } from "./typed-claim.ts";

/** skill-creator's schema says the first, its instructions and agentskills.io the second. */
export const CONTAINERS = ["expectations", "assertions"] as const;
/** Read only where neither of those is there. */
export const OLD_CONTAINERS = ["expected_behavior", "expected_behaviors"] as const;

/** Where an object entry's statement may stand, best first. */
const STATEMENT_KEYS = ["text", "description", "expectation", "assertion", "criterion", "name"] as const;

export interface ReadChecks {
  readonly checks: readonly Check[];
  /** The keys that hold them; two when both say the same. */
  readonly entries: readonly DocEntry[];
}

/** The eval's checks, from whichever container it uses. */
export function readChecks(node: DocNode, context: ReadContext): ReadChecks | Invalid {
  const entries = containers(node);
  const [first, second] = entries;
  if (first === undefined) return { checks: [], entries: [] };
  const read = entries.map((entry) => STATEMENTS.read(entry.value, below(context, entry.key)));
  if (read.includes(INVALID) || !isRead(read)) return INVALID;
  if (second !== undefined && !same(first, second)) {
    return invalid(context, second.value, {
      code: "two-check-lists",
      message: `${pathText(context.path)} has both ${JSON.stringify(first.key)} and ${JSON.stringify(second.key)}, and they differ`,
      hint: "keep one list; they mean the same thing",
    });
  }
  return { checks: toChecks(read[0] ?? []), entries };
}

/** Whether the object asks for something to be graded. */
export function hasChecks(node: DocNode): boolean {
  return containers(node).length > 0;
}

function containers(node: DocNode): readonly DocEntry[] {
  const present = CONTAINERS.flatMap((name) => find(node, [name]) ?? []);
  const filled = present.filter((entry) => entry.value.kind !== "array" || entry.value.elements.length > 0);
  if (filled.length > 0) return filled;
  return OLD_CONTAINERS.flatMap((name) => find(node, [name]) ?? [])
    .filter((entry) => entry.value.kind === "array" && entry.value.elements.length > 0)
    .slice(0, 1);
}

function isRead<T>(values: readonly (T | Invalid)[]): values is readonly T[] {
  return !values.some((value) => value === INVALID);
}

function same(first: DocEntry, second: DocEntry): boolean {
  return JSON.stringify(toPlain(first.value)) === JSON.stringify(toPlain(second.value));
}

interface Statement {
  readonly id: string | null;
  readonly text: string;
  /** What code can decide; null: a judge does. */
  readonly claim: Claim | null;
  /** The entry where it is more than its text. */
  readonly origin: Json;
}

/** The list of statements, with ids that are unique in it. */
export const STATEMENTS: Shape<readonly Statement[]> = statements();

function statements(): Shape<readonly Statement[]> {
  const entries = list(statement());
  return {
    schema: entries.schema,
    read(node, context) {
      if (node.kind === "object") {
        return wrongType(
          node,
          context,
          "a list of statements",
          "write each statement as one string in a list",
        );
      }
      const read = entries.read(node, context);
      if (read === INVALID || node.kind !== "array") return INVALID;
      const seen = new Set<string>();
      let valid = true;
      for (const [index, { id }] of read.entries()) {
        if (id !== null && seen.has(id)) {
          valid = false;
          invalid(below(context, index), node.elements[index] ?? node, {
            code: "duplicate-id",
            message: `${pathText(context.path)} has two entries with the id ${JSON.stringify(id)}`,
          });
        }
        if (id !== null) seen.add(id);
      }
      return valid ? read : INVALID;
    },
  };
}

function statement(): Shape<Statement> {
  const plain = text();
  return {
    schema: { anyOf: [plain.schema, { type: "object" }] },
    read(node, context) {
      if (node.kind === "object") return readObject(node, context);
      if (node.kind !== "string")
        return wrongType(node, context, "a statement: a text, or an object with one");
      const read = plain.read(node, context);
      return read === INVALID ? INVALID : { id: null, text: read, claim: null, origin: null };
    },
  };
}

function readObject(node: DocNode, context: ReadContext): Statement | Invalid {
  const said = STATEMENT_KEYS.map((key) => valueOf(node, key)).find(
    (value) => value?.kind === "string" && value.value.trim() !== "",
  );
  const claim = said?.kind === "string" ? null : typedClaim(node);
  const text = said?.kind === "string" ? said.value : claim === null ? null : sentenceOf(claim);
  if (text === null) return refuse(node, context);
  if (claim !== null) {
    context.report({
      severity: "note",
      offset: node.start,
      code: "typed-check",
      message: `${pathText(context.path)} is another tool's check, read as: ${text}`,
    });
  }
  const id = valueOf(node, "id");
  const isId = (id?.kind === "string" && id.value.trim() !== "") || id?.kind === "int";
  return { id: isId ? String(id.value) : null, text, claim, origin: toPlain(node) };
}

function refuse(node: DocNode, context: ReadContext): Invalid {
  const keys = node.kind === "object" ? node.entries.map((entry) => entry.key) : [];
  const machine = keys.filter((key) =>
    ["type", "check", "value", "values", "pattern", "regex"].includes(key),
  );
  if (machine.length > 0) {
    return invalid(context, node, {
      code: "foreign-check",
      message: `${pathText(context.path)} has ${keys.map((key) => JSON.stringify(key)).join(", ")} but no statement: it belongs to another tool`,
      hint: 'state it in words under "text", or as a check under the "assay" key',
    });
  }
  return invalid(context, node, {
    code: "missing-statement",
    message: `${pathText(context.path)} has no statement`,
    hint: `give it one of ${STATEMENT_KEYS.map((key) => JSON.stringify(key)).join(", ")}`,
  });
}

function toChecks(read: readonly Statement[]): readonly Check[] {
  const declared = new Set(read.map(({ id }) => id));
  return read.map(({ id, text, claim, origin }, index) => ({
    id: id ?? free(positionId(index), declared),
    layer: claim === null ? "L3" : "L1",
    text,
    appliesTo: "every-variant",
    origin,
    ...(claim ?? { kind: "criterion" }),
  }));
}

/** The id of a check that declares none. */
export function positionId(index: number): string {
  return `expectation-${index + 1}`;
}

/** Whether the check at this position gets the id without declaring it. */
export function isPositionId(id: string, index: number): boolean {
  return id.replace(/'+$/, "") === positionId(index);
}

/** Should another entry declare that very id, a prime tells them apart. */
function free(id: string, declared: ReadonlySet<string | null>): string {
  return declared.has(id) ? free(`${id}'`, declared) : id;
}
