import { type Variant, VARIANTS } from "../../domain/trial.ts";
import { UserError } from "../../domain/user-error.ts";
import { nearest } from "../../lib/nearest.ts";

/** What a name says about an iteration: `3`, `iteration-3`, `pdf@3`, `pdf/iteration-3`, each also with `:VARIANT`. */
export interface SaidIteration {
  /** Null: it is not said. */
  readonly suite: string | null;
  readonly number: number;
  /** Null: the one under test. */
  readonly variant: Variant | null;
}

/** Null where the text names no iteration by number. Throws where it does, with a variant that there is none of. */
export function iterationName(text: string): SaidIteration | null {
  const found = NAMED.exec(text);
  if (found === null) return null;
  const [, suite, folder, number, variant] = found;
  return {
    suite: suite ?? folder ?? null,
    number: Number(number),
    variant: variant === undefined ? null : variantNamed(variant, text),
  };
}

const NAMED = /^(?:(.+)@|(.+)\/(?=iteration-))?(?:iteration-)?(\d{1,9})(?::([\w-]+))?$/;

function variantNamed(word: string, text: string): Variant {
  const variant = VARIANTS.find((known) => known === word);
  if (variant !== undefined) return variant;
  const meant = nearest(word, VARIANTS);
  throw new UserError("compare/no-variant", `${text}: ${JSON.stringify(word)} is not a variant`, {
    hint: meant === null ? `there are ${VARIANTS.join(", ")}` : `did you mean ${meant}?`,
  });
}
