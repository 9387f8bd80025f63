import type { Check, Section, SectionField, SectionTier } from "../../../domain/check.ts";
import { sentenceOf } from "../../../domain/checks/index.ts";
import type { Assertion } from "./assertion-shape.ts";
import type { Criterion, Spec } from "./spec-shape.ts";

/** The checks of all three layers, cheapest first. */
export function specChecks(spec: Spec): readonly Check[] {
  const declared = [
    ...spec.assertions.map(assertionCheck),
    ...spec.sections.flatMap(fieldChecks),
    ...spec.grading_criteria.map(criterionCheck),
  ];
  const taken = new Set(declared.map((check) => check.id));
  const entries = spec.sections.flatMap((section) => entryChecks(section, taken));
  return [
    ...declared.filter((check) => check.layer === "L1"),
    ...entries,
    ...declared.filter((check) => check.layer !== "L1"),
  ];
}

function assertionCheck({ id, name, claim, origin }: Assertion): Check {
  const text = name !== null && name.trim() !== "" ? name : sentenceOf(claim);
  return { id, layer: "L1", text, appliesTo: "every-variant", origin, ...claim };
}

function criterionCheck({ id, criterion, origin }: Criterion): Check {
  return { id, layer: "L3", text: criterion, appliesTo: "every-variant", origin, kind: "criterion" };
}

function fieldChecks(section: Section): readonly Check[] {
  return section.tiers.flatMap((tier) =>
    tier.fields.map((field): Check => ({
      id: field.id,
      layer: "L2",
      text: fieldText(field, placeText(section, tier)),
      appliesTo: "every-variant",
      origin: null,
      kind: "field",
      section: section.name,
      tier: tier.label,
      field,
    })),
  );
}

function fieldText(field: SectionField, place: string): string {
  const name = JSON.stringify(field.name);
  const presence = field.required
    ? `every entry of ${place} has ${name}`
    : `${name} in ${place}, where given`;
  return field.format === null
    ? presence
    : `${presence}${field.required ? "," : ""} in the format ${field.format}`;
}

/** Only where the tier bounds its entries; the id is made here, because the format gives none. */
function entryChecks(section: Section, taken: Set<string>): readonly Check[] {
  return section.tiers.flatMap((tier): Check[] => {
    const min = tier.minEntries ?? 0;
    if (min === 0 && tier.maxEntries === null) return [];
    let id = `entries:${section.name}/${tier.label}`;
    while (taken.has(id)) id = `${id}#`;
    taken.add(id);
    return [
      {
        id,
        layer: "L2",
        text: entriesText(min, tier.maxEntries, placeText(section, tier)),
        appliesTo: "every-variant",
        origin: null,
        kind: "entries",
        section: section.name,
        tier: tier.label,
        min,
        max: tier.maxEntries,
      },
    ];
  });
}

function entriesText(min: number, max: number | null, place: string): string {
  if (max === null) return `${place} has at least ${min} ${min === 1 ? "entry" : "entries"}`;
  if (min === 0) return `${place} has at most ${max} ${max === 1 ? "entry" : "entries"}`;
  return `${place} has ${min} to ${max} entries`;
}

function placeText(section: Section, tier: SectionTier): string {
  return section.tiers.length === 1 ? section.name : `${section.name} (${tier.label})`;
}
