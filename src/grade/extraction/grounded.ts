import type { Section } from "../../domain/check.ts";
import type { Json } from "../../domain/json.ts";
import { valueText } from "./field-verdict.ts";
import type { ExtractedSections } from "./reply.ts";

/** Tells values that stand in the output from values that a model made up. */
export interface Ground {
  holds(value: Json): boolean;
}

/** A value stands in the output when its letters and digits do in a row, or each of its words does somewhere. */
export function groundOf(output: string): Ground {
  const squeezed = squeeze(output);
  const words = new Set(wordsOf(output));
  return {
    holds(value) {
      if (typeof value !== "string") return true;
      const shown = valueText(value);
      const letters = squeeze(shown);
      if (letters === "" || squeezed.includes(letters)) return true;
      return wordsOf(shown).every((word) => words.has(word));
    },
  };
}

/** What a model is told about values it made up: where, not what, because the value may repeat what the output wanted said. */
export function ungrounded(
  sections: readonly Section[],
  extracted: ExtractedSections,
  ground: Ground,
): readonly string[] {
  return sections.flatMap((section) =>
    section.tiers.flatMap((tier) =>
      (extracted[section.name]?.[tier.label] ?? []).flatMap((entry, index) =>
        tier.fields
          .filter((field) => !ground.holds(entry[field.name] ?? null))
          .map(
            (field) =>
              `${section.name}, ${tier.label}, entry ${index + 1}: the value of ${JSON.stringify(field.name)} does not stand in the text; copy it, or null`,
          ),
      ),
    ),
  );
}

function squeeze(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
