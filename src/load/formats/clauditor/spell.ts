import type { Check, Section, SectionField, SectionTier } from "../../../domain/check.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { AnyFormatName } from "../../../domain/suite.ts";
import { assayOrigin } from "../../assay-check.ts";
import { wordFor } from "../../assay-words.ts";
import { ASSERTION_TYPES } from "./assertion-shape.ts";

/** Can the format itself say this? The rest goes under the `assay` key. */
export function isHosted(check: Check): boolean {
  if (assayOrigin(check) !== null) return false;
  switch (check.kind) {
    case "field":
    case "entries":
    case "criterion":
      return true;
    case "contains":
    case "not_contains":
      return !check.ignoreCase;
    default:
      return ASSERTION_TYPES.some((type) => type === check.kind);
  }
}

/** Null for a check that is no assertion. */
export function spellAssertion(check: Check, format: AnyFormatName): JsonObject | null {
  const word = wordFor(check.kind);
  if (word === null || check.kind === "criterion") return null;
  const own = ownEntry(check, format);
  if (own !== null) return own;
  return {
    id: check.id,
    type: check.kind,
    ...(check.text === word.entry.sentence(check) ? {} : { name: check.text }),
    ...word.spell(check),
  };
}

/** Null for a check that is no criterion. */
export function spellCriterion(check: Check, format: AnyFormatName): JsonObject | null {
  if (check.kind !== "criterion") return null;
  return ownEntry(check, format) ?? { id: check.id, criterion: check.text };
}

export function spellSection(section: Section): JsonObject {
  return { name: section.name, tiers: section.tiers.map(spellTier), ...section.extras };
}

function spellTier(tier: SectionTier): JsonObject {
  return {
    label: tier.label,
    ...(tier.description === null ? {} : { description: tier.description }),
    ...(tier.minEntries === null ? {} : { min_entries: tier.minEntries }),
    ...(tier.maxEntries === null ? {} : { max_entries: tier.maxEntries }),
    fields: tier.fields.map(spellField),
    ...tier.extras,
  };
}

function spellField(field: SectionField): JsonObject {
  return {
    id: field.id,
    name: field.name,
    required: field.required,
    ...(field.format === null ? {} : { format: field.format }),
    ...field.extras,
  };
}

/** The entry as one of our files spells it; other formats' entries mean nothing here. */
function ownEntry(check: Check, format: AnyFormatName): JsonObject | null {
  if (format !== "clauditor" || check.origin === null) return null;
  return check.origin as JsonObject;
}
