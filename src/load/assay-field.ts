import { type ClaimField, type JsonExpectation, keysOf } from "../domain/checks/field.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { DocNode } from "../lib/document/node.ts";
import { type Fields, optional, required } from "../lib/shape/object.ts";
import { type Invalid, invalid, pathText, type ReadContext } from "../lib/shape/shape.ts";
import { anything, refine } from "../lib/shape/values.ts";
import { pattern, shapeOf } from "./assay-shapes.ts";

/** How a field of a claim is read from the keys of an entry and written to them. */
export interface FieldSpelling {
  readonly keys: Fields;
  readonly read: (values: ReadValues, context: ReadContext, node: DocNode) => unknown;
  /** Without what leaving the keys out means. */
  readonly spell: (value: unknown) => JsonObject;
}

type ReadValues = { readonly [key: string]: unknown };

export function spellingOf(name: string, field: ClaimField<unknown>): FieldSpelling {
  const { holds, fallback } = field;
  if (holds.kind === "expectation") return EXPECTATION;
  const [key = name] = keysOf(name, field);
  const shape = shapeOf(holds);
  return {
    keys: { [key]: fallback === null ? required(shape) : optional(shape, fallback.value) },
    read: (values) => values[key],
    spell: (value) => (fallback !== null && fallback.value === value ? {} : { [key]: value as Json }),
  };
}

/** `equals` may be null, so its value is wrapped to be told from a key that is left out. */
const EXPECTATION: FieldSpelling = {
  keys: {
    equals: optional(refine(anything(), (value): { readonly value: Json } => ({ value }))),
    matches: optional(pattern()),
  },
  read: (values, context, node) => toExpectation(values as unknown as ExpectationValues, context, node),
  spell: (value) => spellExpectation(value as JsonExpectation),
};

interface ExpectationValues {
  readonly equals: { readonly value: Json } | null;
  readonly matches: string | null;
}

function toExpectation(
  { equals, matches }: ExpectationValues,
  context: ReadContext,
  node: DocNode,
): JsonExpectation | Invalid {
  if (equals !== null && matches !== null) {
    return invalid(context, node, {
      code: "two-expectations",
      message: `${pathText(context.path)} has both "equals" and "matches"`,
      hint: "keep one, or write two checks",
    });
  }
  if (equals !== null) return { kind: "equals", value: equals.value };
  if (matches !== null) return { kind: "matches", pattern: matches };
  return { kind: "present" };
}

function spellExpectation(expected: JsonExpectation): JsonObject {
  switch (expected.kind) {
    case "present":
      return {};
    case "equals":
      return { equals: expected.value };
    case "matches":
      return { matches: expected.pattern };
  }
}
