import type { Json } from "../json.ts";

/**
 * One field of a claim, described as data: the loader makes the keys of an entry, their JSON Schema and their spelling of
 * it. `T` is what the claim then holds.
 */
export interface Field<T> {
  readonly holds: Held;
  /** What leaving it out means; null where it must be given. */
  readonly fallback: { readonly value: T } | null;
  /** The key in a file where it is not the field's own name. */
  readonly key: string | null;
}

export type Held =
  | { readonly kind: "text"; readonly blank: "allowed" | "refused" }
  /** A Python regular expression; with `lines`, `^` and `$` match at lines. */
  | { readonly kind: "pattern"; readonly lines: boolean }
  /** A path or glob relative to the workspace. */
  | { readonly kind: "path" }
  | { readonly kind: "integer"; readonly min: number }
  | { readonly kind: "number"; readonly min: number }
  | { readonly kind: "flag" }
  | { readonly kind: "texts" }
  /** Two keys, `equals` and `matches`, of which at most one is given. */
  | { readonly kind: "expectation" }
  | { readonly kind: "json" };

/** What a JSON value must be: present, equal to a value, or a text matching a Python regex. */
export type JsonExpectation =
  | { readonly kind: "present" }
  | { readonly kind: "equals"; readonly value: Json }
  | { readonly kind: "matches"; readonly pattern: string };

export type FieldSet = { readonly [name: string]: Field<unknown> };

export type Values<F extends FieldSet> = {
  readonly [N in keyof F]: F[N] extends Field<infer T> ? T : never;
};

export const text = (): Field<string> => must({ kind: "text", blank: "refused" });
export const anyText = (): Field<string> => must({ kind: "text", blank: "allowed" });
export const pattern = (): Field<string> => must({ kind: "pattern", lines: false });
export const linePattern = (): Field<string> => must({ kind: "pattern", lines: true });
export const path = (): Field<string> => must({ kind: "path" });
export const integer = (min: number): Field<number> => must({ kind: "integer", min });
export const number = (min: number): Field<number> => must({ kind: "number", min });
export const flag = (): Field<boolean> => must({ kind: "flag" });
export const texts = (): Field<readonly string[]> => must({ kind: "texts" });
export const expectation = (): Field<JsonExpectation> => must({ kind: "expectation" });
export const json = (): Field<Json> => must({ kind: "json" });

/** The field may be left out. */
export function orElse<T, E>(field: Field<T>, value: E): Field<T | E> {
  return { ...field, fallback: { value } };
}

/** The field under another key. */
export function spelled<T>(key: string, field: Field<T>): Field<T> {
  return { ...field, key };
}

/** The keys that a field takes in an entry. */
export function keysOf(name: string, field: Field<unknown>): readonly string[] {
  return field.holds.kind === "expectation" ? ["equals", "matches"] : [field.key ?? name];
}

function must<T>(holds: Held): Field<T> {
  return { holds, fallback: null, key: null };
}
