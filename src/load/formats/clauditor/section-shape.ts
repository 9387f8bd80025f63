import type { Section, SectionField, SectionTier } from "../../../domain/check.ts";
import { entryOf } from "../../../lib/document/node.ts";
import { object, optional, optionalOrNull, required } from "../../../lib/shape/object.ts";
import { below, type Invalid, invalid, pathText, type Shape } from "../../../lib/shape/shape.ts";
import { bool, int, list, refine, text } from "../../../lib/shape/values.ts";
import { formatOrPattern } from "./pattern-shape.ts";

/** One entry of `sections`: what a model extracts, in tiers of entries with fields. */
export function sectionShape(): Shape<Section> {
  const section = object({ name: required(text()), tiers: required(list(tierShape())) });
  return {
    schema: section.schema,
    read(node, context) {
      const flat = entryOf(node, "fields");
      if (flat !== undefined && entryOf(node, "tiers") === undefined) {
        list(fieldShape()).read(flat.value, below(context, "fields"));
        return invalid(context, flat.keySpan, {
          code: "flat-section",
          message: `${pathText(context.path)} has its fields outside of tiers`,
          hint: 'write "tiers": [{"label": "default", "fields": [...]}], with min_entries inside the tier',
        });
      }
      return section.read(node, context);
    },
  };
}

function tierShape(): Shape<SectionTier> {
  const tier = object({
    label: required(text()),
    description: optionalOrNull(text({ blank: "allowed" })),
    min_entries: optionalOrNull(int({ min: 0 })),
    max_entries: optionalOrNull(int({ min: 0 })),
    fields: optional(list(fieldShape()), []),
  });
  return refine(tier, (values, context, node): SectionTier | Invalid => {
    if (values.max_entries !== null && values.max_entries < (values.min_entries ?? 0)) {
      return invalid(context, entryOf(node, "max_entries")?.value ?? node, {
        code: "out-of-range",
        message: `${pathText(context.path)} allows at most ${values.max_entries} entries but requires at least ${values.min_entries}`,
      });
    }
    return {
      label: values.label,
      description: values.description,
      minEntries: values.min_entries,
      maxEntries: values.max_entries,
      fields: values.fields,
      extras: values.extras,
    };
  });
}

function fieldShape(): Shape<SectionField> {
  const field = object({
    id: required(text()),
    name: required(text()),
    required: optional(bool(), true),
    format: optionalOrNull(formatOrPattern({ full: true })),
  });
  return {
    schema: field.schema,
    read(node, context) {
      const misnamed = entryOf(node, "pattern");
      if (node.kind !== "object" || misnamed === undefined) return field.read(node, context);
      field.read({ ...node, entries: node.entries.filter((entry) => entry !== misnamed) }, context);
      return invalid(context, misnamed.keySpan, {
        code: "unknown-key",
        message: `${pathText(context.path)} has the unknown key "pattern"`,
        hint: 'did you mean "format"? It takes a regular expression too',
      });
    },
  };
}
