import type { Check, Claim } from "../domain/check.ts";
import type { CheckEntry } from "../domain/checks/kind.ts";
import type { DocNode } from "../lib/document/node.ts";
import { type Field, type Fields, object, optional, required } from "../lib/shape/object.ts";
import {
  INVALID,
  type Invalid,
  invalid,
  pathText,
  type ReadContext,
  type Shape,
} from "../lib/shape/shape.ts";
import { oneOf, text } from "../lib/shape/values.ts";
import { type FieldSpelling, spellingOf } from "./assay-field.ts";

/** What an entry of `checks` says. */
export interface ReadEntry {
  readonly id: string | null;
  readonly text: string | null;
  readonly appliesTo: Check["appliesTo"] | null;
  readonly claim: Claim;
}

/** An entry of a kind: with `type`, or without one where another key names the kind. */
export function formOf(
  kind: string,
  entry: Pick<CheckEntry<Claim>, "fields" | "says" | "problem">,
  type: Fields = { type: required(oneOf([kind])) },
): Shape<ReadEntry> {
  const spellings = Object.entries(entry.fields).map(
    ([name, field]) => [name, spellingOf(name, field)] as const,
  );
  const own: Fields = Object.assign({}, ...spellings.map(([, spelling]) => spelling.keys));
  const keys: Fields = { ...type, ...headOf(entry), ...own };
  const shape = object(keys, { unknownKeys: "error", hints: hintsFor(keys) });
  return {
    schema: shape.schema,
    read(node, context) {
      const read = shape.read(node, context);
      if (read === INVALID) return INVALID;
      const values = toValues(spellings, read, { context, node });
      if (values === INVALID) return INVALID;
      const claim = { kind, ...values } as unknown as Claim;
      const problem = entry.problem(claim);
      if (problem !== null) {
        const message = `${pathText(context.path)} ${problem.message}`;
        return invalid(context, node, { ...problem, message });
      }
      const { id, text, applies_to: appliesTo } = read as unknown as HeadValues;
      return { id, text, appliesTo, claim };
    },
  };
}

interface HeadValues {
  readonly id: string | null;
  readonly text: string | null;
  readonly applies_to: Check["appliesTo"] | null;
}

/** What every entry has. */
function headOf({ says }: Pick<CheckEntry<Claim>, "says">): Record<keyof HeadValues, Field<unknown>> {
  return {
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
