/** How letters compare: exactly, by Python's Unicode rules, or by ASCII case alone. */
export type Fold = "exact" | "unicode" | "ascii";

/** A parsed Python pattern; flags are already worked into the nodes they govern. */
export type PatternNode =
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "literal"; readonly code: number; readonly fold: Fold }
  | { readonly kind: "any"; readonly newline: boolean }
  | {
      readonly kind: "set";
      readonly negated: boolean;
      readonly members: readonly SetMember[];
      readonly fold: Fold;
    }
  | { readonly kind: "edge"; readonly edge: Edge; readonly ascii: boolean }
  | {
      readonly kind: "group";
      /** Counts from 1; null for a group that captures nothing. */
      readonly number: number | null;
      readonly body: PatternNode;
    }
  | { readonly kind: "atomic"; readonly body: PatternNode }
  | { readonly kind: "look"; readonly behind: boolean; readonly negated: boolean; readonly body: PatternNode }
  | {
      readonly kind: "conditional";
      readonly group: number;
      readonly yes: PatternNode;
      readonly no: PatternNode;
    }
  | { readonly kind: "backreference"; readonly group: number; readonly fold: Fold }
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly min: number;
      /** `Infinity` for no bound. */
      readonly max: number;
      readonly mode: "greedy" | "lazy" | "possessive";
    };

export type Edge =
  | "text-start"
  | "text-end"
  /** The end, or before one newline that ends the text. */
  | "last-line-end"
  | "line-start"
  | "line-end"
  | "word"
  | "not-word";

export type SetMember = { readonly kind: "range"; readonly from: number; readonly to: number } | Category;

export interface Category {
  readonly kind: "category";
  readonly category: "digit" | "space" | "word";
  readonly negated: boolean;
  readonly ascii: boolean;
}

export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
}

/** What is wrong with a pattern and where, in UTF-16 units. */
export class PatternError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export function foldOf(flags: Flags): Fold {
  if (!flags.ignoreCase) return "exact";
  return flags.ascii ? "ascii" : "unicode";
}
