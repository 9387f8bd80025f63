import { pattern } from "./field.ts";
import { checkKind } from "./kind.ts";

/** Python spelling, searched anywhere in the text. */
export const regex = checkKind({
  reads: "output",
  fields: { pattern: pattern() },
  subject: (claim) => claim.pattern,
  sentence: (claim) => `the output matches /${claim.pattern}/`,
  holds: "the pattern is found in the output",
});
