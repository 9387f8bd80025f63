import type { Check } from "../../domain/check.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case, FormatName } from "../../domain/suite.ts";

/**
 * Drafted cases as if they had been written in the format: what it has words for goes under its own keys, so that its own
 * tools see it too, and only the rest under `assay`.
 */
export function nativeCases(
  cases: readonly Case[],
  to: FormatName,
  { skill, now }: { readonly skill: Skill; readonly now: Date },
): readonly Case[] {
  switch (to) {
    case "clauditor":
      return cases.map(withOwnChecks);
    case "skillet":
      return cases.map((one) => ({
        ...withOwnChecks(one),
        format: to,
        name: skill.name,
        extras: { ...one.extras, timestamp: `${now.toISOString().slice(0, 19)}Z` },
      }));
    default:
      return cases;
  }
}

function withOwnChecks(one: Case): Case {
  const checks = one.checks.map((check, index): Check => {
    const own: Check = { ...check, origin: null };
    return check.layer === "L1" ? { ...own, id: `check-${index + 1}` } : own;
  });
  return { ...one, checks };
}
