import { integer } from "./field.ts";
import { checkKind } from "./kind.ts";

export const minLength = lengthKind("at least", false);
export const maxLength = lengthKind("at most", true);

/** In code points, bounds inclusive. */
function lengthKind(bound: "at least" | "at most", forbids: boolean) {
  return checkKind({
    reads: "output",
    fields: { length: integer(0) },
    subject: (claim) => String(claim.length),
    sentence: (claim) => `the output has ${bound} ${claim.length} characters`,
    holds: `the output has ${bound} \`length\` characters`,
    forbids,
  });
}
