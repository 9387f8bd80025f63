import type { Claim, Layer } from "../domain/check.ts";
import { spelled } from "../domain/checks/field.ts";
import type { CheckEntry } from "../domain/checks/kind.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Shape } from "../lib/shape/shape.ts";
import { spellingOf } from "./assay-field.ts";
import { formOf, type ReadEntry } from "./assay-form.ts";

/** One word of the vocabulary: the `type` of an entry of `checks`. */
export interface Word {
  readonly layer: Layer;
  readonly entry: CheckEntry<Claim>;
  readonly form: Shape<ReadEntry>;
  /** The form in which the word itself is a key, in place of `type`; null for a word that has none. */
  readonly shortForm: Shape<ReadEntry> | null;
  /** The word's own keys, without defaults. */
  readonly spell: (claim: Claim) => JsonObject;
}

/** The word for a kind of check that the key can express, made of the kind's own description. */
export function wordOf(kind: string, { layer, entry }: Pick<Word, "layer" | "entry">): Word {
  const spellings = Object.entries(entry.fields).map(
    ([name, field]) => [name, spellingOf(name, field)] as const,
  );
  return {
    layer,
    entry,
    form: formOf(kind, entry),
    shortForm: shortFormOf(kind, entry),
    spell(claim) {
      const values = claim as unknown as { readonly [name: string]: unknown };
      return Object.assign({}, ...spellings.map(([name, { spell }]) => spell(values[name]))) as JsonObject;
    },
  };
}

function shortFormOf(kind: string, entry: CheckEntry<Claim>): Shape<ReadEntry> | null {
  const { short, fields } = entry;
  const named = short === null ? undefined : fields[short];
  if (short === null || named === undefined) return null;
  return formOf(kind, { ...entry, fields: { ...fields, [short]: spelled(kind, named) } }, {});
}
