import { type ClaimField, integer, number } from "./field.ts";
import { checkKind } from "./kind.ts";

export const maxCostUsd = limitKind(number(0), "US dollars");
export const maxTokens = limitKind(integer(0), "tokens");
export const maxDurationSeconds = limitKind(number(0), "seconds");
export const maxTurns = limitKind(integer(0), "turns");

/** Bounds are inclusive. */
function limitKind(limit: ClaimField<number>, unit: string) {
  return checkKind({
    reads: "usage",
    fields: { limit },
    subject: (claim) => String(claim.limit),
    sentence: (claim) => `the run takes at most ${claim.limit} ${unit}`,
    holds: `the run took at most \`limit\` ${unit}`,
    forbids: true,
  });
}
