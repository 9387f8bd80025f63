import { describe, type DocNode, type PlainValue, toPlain } from "../document/node.ts";
import { nearest } from "../nearest.ts";
import {
  below,
  INVALID,
  type Invalid,
  invalid,
  type JsonSchema,
  pathText,
  type ReadContext,
  type Shape,
} from "./shape.ts";

export function text(options: { blank?: "allowed" | "refused" } = {}): Shape<string> {
  const refuseBlank = options.blank !== "allowed";
  return {
    schema: refuseBlank ? { type: "string", pattern: "\\S" } : { type: "string" },
    read(node, context) {
      if (node.kind !== "string") return wrongType(node, context, "a string");
      if (refuseBlank && node.value.trim() === "") {
        return invalid(context, node, {
          code: "blank",
          message: `${pathText(context.path)} must not be blank`,
        });
      }
      return node.value;
    },
  };
}

/** A native integer: not `2.0`, not `"2"`, not `true`. */
export function int(range: { min?: number; max?: number } = {}): Shape<number> {
  return {
    schema: { type: "integer", ...bounds(range) },
    read(node, context) {
      if (node.kind !== "int") {
        const quoted = node.kind === "string" && /^\d+$/.test(node.value.trim());
        return wrongType(
          node,
          context,
          "an integer",
          quoted ? `write ${node.value.trim()} without quotes` : undefined,
        );
      }
      return inRange(node, node.value, range, context);
    },
  };
}

export function number(range: { min?: number; max?: number } = {}): Shape<number> {
  return {
    schema: { type: "number", ...bounds(range) },
    read(node, context) {
      if (node.kind !== "int" && node.kind !== "float") return wrongType(node, context, "a number");
      return inRange(node, node.value, range, context);
    },
  };
}

export function bool(): Shape<boolean> {
  return {
    schema: { type: "boolean" },
    read(node, context) {
      if (node.kind === "bool") return node.value;
      return wrongType(node, context, "true or false");
    },
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Shape<T> {
  return {
    schema: { enum: choices },
    read(node, context) {
      const listed = choices.map((choice) => JSON.stringify(choice)).join(", ");
      if (node.kind !== "string") return wrongType(node, context, `one of ${listed}`);
      const chosen = choices.find((choice) => choice === node.value);
      if (chosen !== undefined) return chosen;
      const near = nearest(node.value, choices);
      return invalid(context, node, {
        code: "not-a-choice",
        message: `${pathText(context.path)} must be one of ${listed}, not ${JSON.stringify(node.value)}`,
        ...(near === null ? {} : { hint: `did you mean ${JSON.stringify(near)}?` }),
      });
    },
  };
}

/** Anything; kept as it is. */
export function anything(): Shape<PlainValue> {
  return { schema: {}, read: (node) => toPlain(node) };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    schema: { anyOf: [shape.schema, { type: "null" }] },
    read: (node, context) => (node.kind === "null" ? null : shape.read(node, context)),
  };
}

/** Every element is read even after one failed, so that all problems are reported at once. */
export function list<T>(element: Shape<T>, options: { minLength?: number } = {}): Shape<readonly T[]> {
  const minLength = options.minLength ?? 0;
  return {
    schema: { type: "array", items: element.schema, ...(minLength > 0 ? { minItems: minLength } : {}) },
    read(node, context) {
      if (node.kind !== "array") return wrongType(node, context, "a list");
      if (node.elements.length < minLength) {
        return invalid(context, node, {
          code: "empty-list",
          message: `${pathText(context.path)} must not be empty`,
        });
      }
      const values = node.elements.map((child, index) => element.read(child, below(context, index)));
      return allValid(values) ? values : INVALID;
    },
  };
}

/** An object whose keys are free and whose values share one shape. */
export function record<T>(value: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: "object", additionalProperties: value.schema },
    read(node, context) {
      if (node.kind !== "object") return wrongType(node, context, "an object");
      const entries = node.entries.map(
        (entry) => [entry.key, value.read(entry.value, below(context, entry.key))] as const,
      );
      return entries.every((entry): entry is readonly [string, T] => entry[1] !== INVALID)
        ? Object.fromEntries(entries)
        : INVALID;
    },
  };
}

/** The value together with where it stands, for rules that look at several values at once. */
export interface Located<T> {
  readonly value: T;
  readonly offset: number;
}

export function located<T>(shape: Shape<T>): Shape<Located<T>> {
  return {
    schema: shape.schema,
    read(node, context) {
      const value = shape.read(node, context);
      return value === INVALID ? INVALID : { value, offset: node.start };
    },
  };
}

/** A further rule on a value that has the right shape; `rule` reports through the context it is given. */
export function refine<T, U>(
  shape: Shape<T>,
  rule: (value: T, context: ReadContext, node: DocNode) => U | Invalid,
  schema: JsonSchema = shape.schema,
): Shape<U> {
  return {
    schema,
    read(node, context) {
      const value = shape.read(node, context);
      return value === INVALID ? INVALID : rule(value, context, node);
    },
  };
}

export function allValid<T>(values: readonly (T | Invalid)[]): values is readonly T[] {
  return values.every((value) => value !== INVALID);
}

export function wrongType(node: DocNode, context: ReadContext, expected: string, hint?: string): Invalid {
  return invalid(context, node, {
    code: "wrong-type",
    message: `${pathText(context.path)} must be ${expected}, not ${describe(node)}`,
    ...(hint === undefined ? {} : { hint }),
  });
}

function bounds(range: { min?: number; max?: number }): JsonSchema {
  return {
    ...(range.min === undefined ? {} : { minimum: range.min }),
    ...(range.max === undefined ? {} : { maximum: range.max }),
  };
}

function inRange(
  node: DocNode,
  value: number,
  range: { min?: number; max?: number },
  context: ReadContext,
): number | Invalid {
  const { min = -Infinity, max = Infinity } = range;
  if (value >= min && value <= max) return value;
  let allowed = `between ${min} and ${max}`;
  if (max === Infinity) allowed = `at least ${min}`;
  else if (min === -Infinity) allowed = `at most ${max}`;
  return invalid(context, node, {
    code: "out-of-range",
    message: `${pathText(context.path)} must be ${allowed}, not ${value}`,
  });
}
