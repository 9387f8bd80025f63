import type { Json, JsonObject } from "../../domain/json.ts";

/** A value on a card that its journals do not bear out; null: it is only on the other side. */
export interface CardDifference {
  /** E.g. `evidence[0].benchmark.lift`. */
  readonly path: string;
  readonly card: Json;
  readonly journal: Json;
}

/** Where two values differ, leaf by leaf, in the order of the first. */
export function differencesOf(card: Json, journal: Json, path = ""): readonly CardDifference[] {
  if (isObject(card) && isObject(journal)) {
    const keys = new Set([...Object.keys(card), ...Object.keys(journal)]);
    return [...keys].flatMap((key) =>
      differencesOf(card[key] ?? null, journal[key] ?? null, path === "" ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(card) && Array.isArray(journal)) {
    const length = Math.max(card.length, journal.length);
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      differencesOf(
        (card[at] as Json | undefined) ?? null,
        (journal[at] as Json | undefined) ?? null,
        `${path}[${at}]`,
      ),
    );
  }
  return JSON.stringify(card) === JSON.stringify(journal) ? [] : [{ path, card, journal }];
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
