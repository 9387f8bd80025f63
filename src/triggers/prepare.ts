import type { Check } from "../domain/check.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { Case, Suite } from "../domain/suite.ts";
import { canaryCase } from "./canary.ts";

export interface PreparedTriggers {
  readonly suite: Suite;
  /** What is asked less than the eval files ask, and why. */
  readonly notes: readonly string[];
}

/**
 * The suite as its probes can ask it: with a canary, and with claims in terms of what is staged. Naming the skill under
 * test says nothing more than "it fires"; a rival that is not there cannot answer, so only silence is asked for.
 */
export function prepareTriggers(suite: Suite, rivals: readonly string[]): PreparedTriggers {
  const { skill } = suite;
  const first = suite.cases.find((one) => one.kind === "trigger");
  if (skill === null || first === undefined) return { suite, notes: [] };
  const missing = new Set<string>();
  const isStaged = (name: string) => rivals.some((rival) => isSameSkill(rival, name));
  const adapt = (check: Check): Check => {
    if (check.kind !== "fires" || check.skill === null) return check;
    if (isSameSkill(skill.name, check.skill)) return { ...check, skill: null };
    if (check.expected || isStaged(check.skill)) return check;
    missing.add(check.skill);
    return { ...check, skill: null };
  };
  const cases = suite.cases.map((one): Case =>
    one.kind === "trigger" ? { ...one, checks: one.checks.map(adapt) } : one,
  );
  return {
    suite: { ...suite, cases: [...cases, canaryCase(skill, first, rivals)] },
    notes: missing.size === 0 ? [] : [missingText(suite.name, [...missing].toSorted())],
  };
}

function missingText(suite: string, names: readonly string[]): string {
  return `${suite}: some queries expect another skill to answer that is not staged (${names.join(", ")}), so they only ask ${suite} to stay silent; --rivals stages the other skills of the project`;
}
