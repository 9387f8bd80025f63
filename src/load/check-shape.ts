import type { Check } from "../domain/check.ts";
import { CHECK_KINDS } from "../domain/checks/index.ts";
import type { ClaimField, FieldSet, JsonExpectation } from "../domain/checks/field.ts";
import { LAYERS } from "../domain/checks/kind.ts";
import type { SectionField } from "../domain/section.ts";
import { type Fields, optionalOrNull, required } from "../lib/shape/object.ts";
import { fields } from "../lib/shape/read-plain.ts";
import type { Shape } from "../lib/shape/shape.ts";
import { tagged } from "../lib/shape/tagged.ts";
import { anything, bool, int, list, oneOf, text } from "../lib/shape/values.ts";
import { pattern, shapeOf } from "./assay-shapes.ts";
import { withExtras } from "./with-extras.ts";

export const SECTION_FIELD: Shape<SectionField> = withExtras({
  id: required(text()),
  name: required(text()),
  required: required(bool()),
  format: optionalOrNull(text()),
});

/** Any check as the inside knows it, by its kind; the kinds' own descriptions say what each holds. */
export function checkShape(): Shape<Check> {
  const shapes = Object.entries(CHECK_KINDS).map(([kind, { entry }]) => {
    const claim = entry === null ? HOSTED[kind] : claimFields(entry.fields);
    return [kind, fields({ kind: required(oneOf([kind])), ...HEAD, ...claim }) as unknown as Shape<Check>];
  });
  return tagged("kind", Object.fromEntries(shapes) as Record<string, Shape<Check>>);
}

const HEAD: Fields = {
  id: required(text()),
  layer: required(oneOf(LAYERS)),
  text: required(text({ blank: "allowed" })),
  appliesTo: required(oneOf(["every-variant", "with-skill"])),
  origin: optionalOrNull(anything()),
};

/** The kinds that the `assay` key cannot express. */
const HOSTED: Readonly<Record<string, Fields>> = {
  field: { section: required(text()), tier: required(text()), field: required(SECTION_FIELD) },
  entries: {
    section: required(text()),
    tier: required(text()),
    min: required(int({ min: 0 })),
    max: optionalOrNull(int({ min: 0 })),
  },
  fires: {
    expected: required(bool()),
    skill: optionalOrNull(text()),
    forbidden: optionalOrNull(list(text()), []),
  },
};

function claimFields(set: FieldSet): Fields {
  return Object.fromEntries(Object.entries(set).map(([name, field]) => [name, claimField(field)]));
}

function claimField({ holds, fallback }: ClaimField<unknown>): Fields[string] {
  const shape = holds.kind === "expectation" ? EXPECTATION : shapeOf(holds);
  return fallback === null ? required(shape) : optionalOrNull(shape, fallback.value);
}

const EXPECTATION = tagged<JsonExpectation>("kind", {
  present: fields({ kind: required(oneOf(["present"])) }),
  equals: fields({ kind: required(oneOf(["equals"])), value: required(anything()) }),
  matches: fields({ kind: required(oneOf(["matches"])), pattern: required(pattern()) }),
});
