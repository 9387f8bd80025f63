import { integer, linePattern } from "./field.ts";
import { checkKind } from "./kind.ts";
import { times } from "./words.ts";

/** Python spelling; `^` and `$` match at lines. */
export const minCount = checkKind({
  reads: "output",
  fields: { pattern: linePattern(), count: integer(0) },
  subject: (claim) => claim.pattern,
  sentence: (claim) => `the output matches /${claim.pattern}/ at least ${times(claim.count)}`,
  holds: "the pattern is found at least `count` times; `^` and `$` match at lines",
});
