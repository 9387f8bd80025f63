import type { Json } from "../json.ts";

/**
 * One field of a claim, described as data: the loader makes the keys of an entry, their JSON Schema and their spelling of
 * it. `T` is what the claim then holds.
 */
export interface ClaimField<T> {
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

export type FieldSet = { readonly [name: string]: ClaimField<unknown> };

export type Values<F extends FieldSet> = {
  readonly [N in keyof F]: F[N] extends ClaimField<infer T> ? T : never;
};

export const text = (): ClaimField<string> => must({ kind: "text", blank: "refused" });
export const anyText = (): ClaimField<string> => must({ kind: "text", blank: "allowed" });
export const pattern = (): ClaimField<string> => must({ kind: "pattern", lines: false });
export const linePattern = (): ClaimField<string> => must({ kind: "pattern", lines: true });
export const path = (): ClaimField<string> => must({ kind: "path" });
export const integer = (min: number): ClaimField<number> => must({ kind: "integer", min });
export const number = (min: number): ClaimField<number> => must({ kind: "number", min });
export const flag = (): ClaimField<boolean> => must({ kind: "flag" });
export const texts = (): ClaimField<readonly string[]> => must({ kind: "texts" });
export const expectation = (): ClaimField<JsonExpectation> => must({ kind: "expectation" });
export const json = (): ClaimField<Json> => must({ kind: "json" });

/** The field may be left out. */
export function orElse<T, E>(field: ClaimField<T>, value: E): ClaimField<T | E> {
  return { ...field, fallback: { value } };
}

/** The field under another key. */
export function spelled<T>(key: string, field: ClaimField<T>): ClaimField<T> {
  return { ...field, key };
}

/** The keys that a field takes in an entry. */
export function keysOf(name: string, field: ClaimField<unknown>): readonly string[] {
  return field.holds.kind === "expectation" ? ["equals", "matches"] : [field.key ?? name];
}

function must<T>(holds: Held): ClaimField<T> {
  return { holds, fallback: null, key: null };
}
