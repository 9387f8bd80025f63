import { object, optionalOrNull, required } from "../../../lib/shape/object.ts";
import type { ShapeOutput } from "../../../lib/shape/shape.ts";
import { list, located, number, oneOf, text } from "../../../lib/shape/values.ts";

const CATEGORIES = [
  "INTENT",
  "DESIGN",
  "MUST_NOT",
  "MINIMALITY",
  "REUSE",
  "INTEGRATION",
  "EDGE_CASE",
] as const;

const ENTRY = object(
  {
    name: optionalOrNull(text()),
    description: required(text()),
    max_score: optionalOrNull(located(number({ min: 0 }))),
    category: optionalOrNull(located(oneOf(CATEGORIES))),
  },
  { hints: { score: "max_score", weight: "max_score", criterion: "description", text: "description" } },
);

export type ChecklistEntry = ShapeOutput<typeof ENTRY>;

/** `criteria.json`. */
export const CRITERIA = object({
  context: optionalOrNull(text({ blank: "allowed" })),
  type: optionalOrNull(oneOf(["weighted_checklist"])),
  checklist: required(list(ENTRY, { minLength: 1 })),
});
