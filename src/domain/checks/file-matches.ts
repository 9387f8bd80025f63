import { path, pattern } from "./field.ts";
import { checkKind } from "./kind.ts";
import { joined } from "./words.ts";

export const fileMatches = checkKind({
  reads: "files",
  fields: { path: path(), pattern: pattern() },
  subject: (claim) => joined(claim.path, claim.pattern),
  sentence: (claim) => `the file ${claim.path} matches /${claim.pattern}/`,
  holds: "the pattern is found in its text",
});
