import type { FieldSet, Values } from "./field.ts";
import type { Source } from "./source.ts";

/** L1 is decided by code, L2 by code on what a model extracted, L3 by a judge; a trigger by what the agent did. */
export const LAYERS = ["L1", "L2", "L3", "trigger"] as const;
export type Layer = (typeof LAYERS)[number];

/** Everything about one kind of check but how it is decided. `V` is what a claim of the kind holds beside it. */
export interface CheckKind<V, R extends Source> {
  readonly reads: R;
  readonly layer: Layer;
  /** How the `assay` key spells it; null for a kind that only a format's own words make. */
  readonly entry: CheckEntry<V> | null;
  /** Does it forbid something, so that it holds where nothing was done, as it should? */
  forbids(claim: V): boolean;
  /** Does it ask for a deed of the agent, which a reference answer cannot show? */
  readonly asksForDeed: boolean;
}

/** An entry of `checks` in the `assay` key. */
export interface CheckEntry<V> {
  readonly fields: FieldSet;
  /** The field that may have the kind's own name as its key, in place of `type`; null where there is none. */
  readonly short: string | null;
  /** Whether a check that does not say so is held against a baseline. */
  readonly appliesTo: "every-variant" | "with-skill";
  /** Where the statement is: in the fields, or in the entry's `text`, which it then must have. */
  readonly says: "fields" | "text";
  /** What tells two checks of the kind apart where the fields do. */
  subject(claim: V): string;
  /** How a person reads it when the entry has no `text`. */
  sentence(claim: V): string;
  /** What is wrong with a combination of values; null when nothing is. */
  problem(claim: V): EntryProblem | null;
  /** When it holds, for the documentation; code in backticks. */
  readonly holds: string;
}

/** `message` goes on after the entry's place: "has neither ...". */
interface EntryProblem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

interface Definition<F extends FieldSet, R extends Source> {
  readonly reads: R;
  readonly layer?: Layer;
  readonly fields: F;
  readonly short?: keyof F & string;
  readonly appliesTo?: CheckEntry<unknown>["appliesTo"];
  readonly says?: CheckEntry<unknown>["says"];
  readonly subject: (claim: Values<F>) => string;
  readonly sentence: (claim: Values<F>) => string;
  readonly problem?: (claim: Values<F>) => EntryProblem | null;
  readonly holds: string;
  readonly forbids?: boolean | ((claim: Values<F>) => boolean);
  readonly asksForDeed?: boolean;
}

/** A kind that the `assay` key can express. */
export function checkKind<F extends FieldSet, R extends Source>(
  definition: Definition<F, R>,
): CheckKind<Values<F>, R> & { readonly entry: CheckEntry<Values<F>> } {
  const { reads, layer = "L1", forbids = false, asksForDeed = false, ...entry } = definition;
  return {
    reads,
    layer,
    entry: { short: null, appliesTo: "every-variant", says: "fields", problem: () => null, ...entry },
    forbids: typeof forbids === "boolean" ? () => forbids : forbids,
    asksForDeed,
  };
}

/** A kind that some format has its own words for, and the `assay` key has none. */
export function hostedKind<V>() {
  return <R extends Source>(head: { readonly reads: R; readonly layer: Layer }): CheckKind<V, R> => ({
    ...head,
    entry: null,
    forbids: () => false,
    asksForDeed: false,
  });
}
