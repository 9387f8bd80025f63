import { type DocEntry, type DocNode, type PlainValue, toPlain } from "../document/node.ts";
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
import { wrongType } from "./values.ts";

/** One key of an object: what it holds, and what stands in for it when it is left out. */
export interface Field<T> {
  readonly shape: Shape<T>;
  readonly required: boolean;
  readonly fallback: T | undefined;
  /** An explicit null means the same as leaving the key out. */
  readonly nullMeansAbsent: boolean;
}

export function required<T>(shape: Shape<T>): Field<T> {
  return { shape, required: true, fallback: undefined, nullMeansAbsent: false };
}

export function optional<T>(shape: Shape<T>): Field<T | null>;
export function optional<T, F>(shape: Shape<T>, fallback: F): Field<T | F>;
export function optional<T>(shape: Shape<T>, fallback: T | null = null): Field<T | null> {
  return { shape, required: false, fallback, nullMeansAbsent: false };
}

/** As `optional`, and null is accepted and means "left out". */
export function optionalOrNull<T>(shape: Shape<T>): Field<T | null>;
export function optionalOrNull<T, F>(shape: Shape<T>, fallback: F): Field<T | F>;
export function optionalOrNull<T>(shape: Shape<T>, fallback: T | null = null): Field<T | null> {
  return { shape, required: false, fallback, nullMeansAbsent: true };
}

export type Fields = { readonly [key: string]: Field<unknown> };

export type ObjectOutput<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
} & {
  /** Keys the shape does not know, as they are. */
  readonly extras: { readonly [key: string]: PlainValue };
};

export interface ObjectOptions {
  /** What an unknown key is; keys that start with `_` are the author's own and always fine. Default: a note. */
  readonly unknownKeys?: "error" | "note" | "allowed";
  /** Words for keys that used to be right or often stand in for the right one. */
  readonly hints?: { readonly [wrongKey: string]: string };
}

export function object<F extends Fields>(fields: F, options: ObjectOptions = {}): Shape<ObjectOutput<F>> {
  return {
    schema: objectSchema(fields, options),
    read(node, context) {
      if (node.kind !== "object") return wrongType(node, context, "an object");
      const byKey = new Map(node.entries.map((entry) => [entry.key, entry]));
      const values: Record<string, unknown> = {};
      let valid = true;
      const extras = node.entries.filter((entry) => !Object.hasOwn(fields, entry.key));
      // Where an unknown key is an error, that error names the right spelling already.
      const suspects = options.unknownKeys === "error" ? [] : extras;
      for (const [key, field] of Object.entries(fields)) {
        const value = readField({ key, field, entry: byKey.get(key), node, extras: suspects }, context);
        if (value === INVALID) valid = false;
        else values[key] = value;
      }
      for (const entry of extras) if (!unknownKey(entry, { fields, options, context })) valid = false;
      values["extras"] = Object.fromEntries(extras.map((entry) => [entry.key, toPlain(entry.value)]));
      return valid ? (values as ObjectOutput<F>) : INVALID;
    },
  };
}

function readField(
  {
    key,
    field,
    entry,
    node,
    extras,
  }: {
    key: string;
    field: Field<unknown>;
    entry: DocEntry | undefined;
    node: DocNode;
    extras: readonly DocEntry[];
  },
  context: ReadContext,
): unknown {
  const absent = entry === undefined || (field.nullMeansAbsent && entry.value.kind === "null");
  if (!absent) return field.shape.read(entry.value, below(context, key));
  if (!field.required) return field.fallback;
  return missingKey(node, { key, extras: extras.map((extra) => extra.key) }, context);
}

/** Reports a required key, and which of the keys that mean nothing here may have been meant to be it. */
export function missingKey(
  node: DocNode,
  { key, extras }: { readonly key: string; readonly extras: readonly string[] },
  context: ReadContext,
): Invalid {
  const misspelt = nearest(key, extras);
  return invalid(context, node, {
    code: "missing-key",
    message: `${pathText(context.path)} has no ${JSON.stringify(key)}, which is required`,
    ...(misspelt !== null && { hint: `is ${JSON.stringify(misspelt)} a misspelling of it?` }),
  });
}

function unknownKey(
  entry: DocEntry,
  { fields, options, context }: { fields: Fields; options: ObjectOptions; context: ReadContext },
): boolean {
  const policy = options.unknownKeys ?? "note";
  if (policy === "allowed" || entry.key.startsWith("_") || isSchemaKey(entry.key, context)) return true;
  const known = Object.keys(fields);
  const near = options.hints?.[entry.key] ?? nearest(entry.key, known);
  const hint = near === null ? `known keys: ${known.join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
  context.report({
    severity: policy === "error" ? "error" : "note",
    offset: entry.keySpan.start,
    code: "unknown-key",
    message: `${pathText(context.path)} has the unknown key ${JSON.stringify(entry.key)}`,
    hint,
  });
  return policy !== "error";
}

/** Editors want to be told a file's schema at its top; it says nothing to anybody else. */
function isSchemaKey(key: string, { path }: ReadContext): boolean {
  return key === "$schema" && path.parent === null;
}

function objectSchema(fields: Fields, options: ObjectOptions): JsonSchema {
  const needed = Object.entries(fields).filter(([, field]) => field.required);
  const properties = Object.entries(fields).map(([key, field]) => [key, fieldSchema(field)]);
  return {
    type: "object",
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(needed.length > 0 ? { required: needed.map(([key]) => key) } : {}),
    ...(options.unknownKeys === "error"
      ? { patternProperties: { "^_": {} }, additionalProperties: false }
      : {}),
  };
}

function fieldSchema(field: Field<unknown>): JsonSchema {
  return field.nullMeansAbsent ? { anyOf: [field.shape.schema, { type: "null" }] } : field.shape.schema;
}
