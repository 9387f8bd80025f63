import { integer, orElse, text } from "./field.ts";
import { checkKind } from "./kind.ts";
import { times } from "./words.ts";

/** `format` is a registered name or a Python regex. */
export const hasFormat = checkKind({
  reads: "output",
  fields: { format: text(), count: orElse(integer(0), 1) },
  subject: (claim) => claim.format,
  sentence: (claim) => `the output has ${claim.format} at least ${times(claim.count)}`,
  holds: "the output has at least `count` of a named format or pattern",
});
