import { integer, orElse } from "./field.ts";
import { checkKind } from "./kind.ts";

/** Words are what white space separates; bounds inclusive. */
export const wordCount = checkKind({
  reads: "output",
  fields: { min: orElse(integer(0), null), max: orElse(integer(0), null) },
  subject: wordBounds,
  sentence: (claim) => `the output has ${wordBounds(claim)} words`,
  problem({ min, max }) {
    if (min === null && max === null) {
      const message = 'has neither "min" nor "max"';
      return { code: "no-bound", message, hint: "give one of them, or both" };
    }
    if (min === null || max === null || min <= max) return null;
    const message = `has a "min" of ${min} and a "max" of ${max}, so it can never hold`;
    return { code: "empty-range", message, hint: "swap them" };
  },
  holds: "the output has at least `min` and at most `max` words",
  forbids: ({ min }) => (min ?? 0) === 0,
});

export function wordBounds({
  min,
  max,
}: {
  readonly min: number | null;
  readonly max: number | null;
}): string {
  if (max === null) return `at least ${min ?? 0}`;
  return min === null ? `at most ${max}` : `${min} to ${max}`;
}
