import type { Section, SectionTier } from "../../domain/check.ts";
import type { ExtractedEntry, Extraction } from "../../domain/grading.ts";
import type { Json } from "../../domain/json.ts";
import { type DocNode, toPlain, valueOf } from "../../lib/document/node.ts";
import {
  below,
  INVALID,
  type Invalid,
  invalid,
  type JsonSchema,
  pathText,
  type ReadContext,
  type Shape,
} from "../../lib/shape/shape.ts";
import { allValid, wrongType } from "../../lib/shape/values.ts";

export type ExtractedSections = Extraction["sections"];

/**
 * One object with a key for each section, in it a list of entries for each tier. Every section and tier must be there;
 * what else is said is passed over. A field that an entry leaves out is null.
 */
export function extractionReply(sections: readonly Section[]): Shape<ExtractedSections> {
  return {
    schema: strict(sections.map((section) => [section.name, sectionSchema(section)])),
    read: (node, context) =>
      readKeys(
        node,
        context,
        sections.map((section) => [
          section.name,
          (inner, at) =>
            readKeys(
              inner,
              at,
              section.tiers.map((tier) => [
                tier.label,
                (entries, place) => readEntries(entries, place, tier),
              ]),
            ),
        ]),
      ),
  };
}

function sectionSchema({ tiers }: Section): JsonSchema {
  const value = { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "null" }] };
  return strict(
    tiers.map((tier) => [
      tier.label,
      { type: "array", items: strict(tier.fields.map((field) => [field.name, value])) },
    ]),
  );
}

function strict(properties: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...new Set(properties.map(([key]) => key))],
    additionalProperties: false,
  };
}

type Read<T> = (node: DocNode, context: ReadContext) => T | Invalid;

function readKeys<T>(
  node: DocNode,
  context: ReadContext,
  keys: readonly (readonly [string, Read<T>])[],
): Readonly<Record<string, T>> | Invalid {
  if (node.kind !== "object") return wrongType(node, context, "an object");
  const entries: (readonly [string, T])[] = [];
  let valid = true;
  for (const [key, read] of keys) {
    const inner = valueOf(node, key);
    const value = inner === undefined ? missing(node, context, key) : read(inner, below(context, key));
    if (value === INVALID) valid = false;
    else entries.push([key, value]);
  }
  return valid ? Object.fromEntries(entries) : INVALID;
}

function missing(node: DocNode, context: ReadContext, key: string): Invalid {
  return invalid(context, node, {
    code: "missing-key",
    message: `${pathText(context.path)} has no ${JSON.stringify(key)}`,
    hint: "an empty list where the text has nothing",
  });
}

function readEntries(
  node: DocNode,
  context: ReadContext,
  tier: SectionTier,
): readonly ExtractedEntry[] | Invalid {
  if (node.kind !== "array") return wrongType(node, context, "a list");
  const entries = node.elements.map((element, index): ExtractedEntry | Invalid =>
    element.kind === "object"
      ? Object.fromEntries(
          tier.fields.map((field): [string, Json] => [field.name, valueAt(element, field.name)]),
        )
      : wrongType(element, below(context, index), "an object"),
  );
  return allValid(entries) ? entries : INVALID;
}

function valueAt(entry: DocNode, name: string): Json {
  const value = valueOf(entry, name);
  return value === undefined ? null : toPlain(value);
}
