import type { Check, Claim, Layer } from "../domain/check.ts";
import type { Entry } from "../domain/checks/kind.ts";
import type { JsonObject } from "../domain/json.ts";
import type { DocNode } from "../lib/document/node.ts";
import { type Fields, object, optional, required } from "../lib/shape/object.ts";
import {
  INVALID,
  type Invalid,
  invalid,
  type JsonSchema,
  pathText,
  type ReadContext,
} from "../lib/shape/shape.ts";
import { oneOf, text } from "../lib/shape/values.ts";
import { type FieldSpelling, spellingOf } from "./assay-field.ts";

/** One word of the vocabulary: the `type` of an entry of `checks`. */
export interface Word {
  readonly layer: Layer;
  readonly entry: Entry<Claim>;
  readonly schema: JsonSchema;
  readonly read: (node: DocNode, context: ReadContext) => ReadEntry | Invalid;
  /** The word's own keys, without defaults. */
  readonly spell: (claim: Claim) => JsonObject;
}

export interface ReadEntry {
  readonly id: string | null;
  readonly text: string | null;
  readonly appliesTo: Check["appliesTo"] | null;
  readonly claim: Claim;
}

/** The word for a kind of check that the key can express, made of the kind's own description. */
export function wordOf(kind: string, { layer, entry }: Pick<Word, "layer" | "entry">): Word {
  const spellings = Object.entries(entry.fields).map(
    ([name, field]) => [name, spellingOf(name, field)] as const,
  );
  const keys: Fields = Object.assign({}, ...spellings.map(([, spelling]) => spelling.keys));
  const fields = { ...headOf(kind, entry), ...keys };
  const shape = object<Fields>(fields, { unknownKeys: "error", hints: hintsFor(fields) });
  return {
    layer,
    entry,
    schema: shape.schema,
    read(node, context) {
      const read = shape.read(node, context);
      if (read === INVALID) return INVALID;
      const values = toValues(spellings, read, { context, node });
      if (values === INVALID) return INVALID;
      const claim = { kind, ...values } as unknown as Claim;
      const problem = entry.problem(claim);
      if (problem !== null) {
        return invalid(context, node, {
          ...problem,
          message: `${pathText(context.path)} ${problem.message}`,
        });
      }
      const { id, text, applies_to: appliesTo } = read as unknown as HeadValues;
      return { id, text, appliesTo, claim };
    },
    spell: (claim) =>
      Object.assign(
        {},
        ...spellings.map(([name, spelling]) => spelling.spell((claim as { [name: string]: unknown })[name])),
      ) as JsonObject,
  };
}

interface HeadValues {
  readonly id: string | null;
  readonly text: string | null;
  readonly applies_to: Check["appliesTo"] | null;
}

/** What every entry has. */
function headOf(kind: string, { says }: Entry<Claim>): Fields {
  return {
    type: required(oneOf([kind])),
    id: optional(text()),
    text: says === "text" ? required(text()) : optional(text()),
    applies_to: optional(oneOf(["every-variant", "with-skill"])),
  };
}

function toValues(
  spellings: readonly (readonly [string, FieldSpelling])[],
  read: { readonly [key: string]: unknown },
  { context, node }: { readonly context: ReadContext; readonly node: DocNode },
): { readonly [name: string]: unknown } | Invalid {
  const values = spellings.map(([name, spelling]) => [name, spelling.read(read, context, node)] as const);
  return values.some(([, value]) => value === INVALID) ? INVALID : Object.fromEntries(values);
}

function hintsFor(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(HINTS).filter(([wrong, right]) => right in fields && !(wrong in fields)),
  );
}

/** Keys that other tools, or a first guess, use for the right one. */
const HINTS: Readonly<Record<string, string>> = {
  kind: "type",
  file: "path",
  regex: "pattern",
  value: "needle",
  name: "tool",
  args: "arguments",
  min: "count",
  max: "limit",
  description: "text",
  appliesTo: "applies_to",
  ignoreCase: "ignore_case",
};
