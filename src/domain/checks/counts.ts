import { integer, orElse } from "./field.ts";
import { checkKind } from "./kind.ts";

export const hasUrls = countKind("output", "URLs");
export const hasEntries = countKind("output", "numbered entries");
export const urlsReachable = countKind("urls", "reachable URLs");

function countKind<R extends "output" | "urls">(reads: R, what: string) {
  return checkKind({
    reads,
    fields: { count: orElse(integer(0), 1) },
    subject: (claim) => String(claim.count),
    sentence: (claim) => `the output has at least ${claim.count} ${what}`,
    holds: `the output has at least \`count\` ${what}`,
  });
}
