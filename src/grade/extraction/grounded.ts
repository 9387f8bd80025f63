import type { Section } from "../../domain/check.ts";
import type { Json } from "../../domain/json.ts";
import { valueText } from "./field-verdict.ts";
import type { ExtractedSections } from "./reply.ts";

/** Tells values that stand in the output from values that a model made up. */
export interface Ground {
  holds(value: Json): boolean;
}

/**
 * A value stands in the output when its letters and digits do in a row, as long as no number is cut in two by it, or each
 * of its words does somewhere.
 */
export function groundOf(output: string): Ground {
  const words = wordsOf(output);
  const known = new Set(words);
  const squeezed = words.join("");
  const starts = new Set<number>();
  for (let at = 0, index = 0; index < words.length; at += words[index]?.length ?? 0, index++) starts.add(at);
  const cutsNumber = (at: number) => !starts.has(at) && /\p{N}{2}/u.test(squeezed.slice(at - 1, at + 1));
  return {
    holds(value) {
      if (typeof value !== "string") return true;
      const shown = valueText(value);
      const letters = wordsOf(shown).join("");
      if (letters === "") return true;
      for (let at = squeezed.indexOf(letters); at !== -1; at = squeezed.indexOf(letters, at + 1)) {
        if (!cutsNumber(at) && !cutsNumber(at + letters.length)) return true;
      }
      return wordsOf(shown).every((word) => known.has(word));
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
              `${section.name}, ${tier.label}, entry ${index + 1}: the value of ${JSON.stringify(field.name)} is not in the text; copy it, or use null`,
          ),
      ),
    ),
  );
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
