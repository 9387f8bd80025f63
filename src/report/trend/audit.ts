import type { Layer } from "../../domain/check.ts";
import type { Case } from "../../domain/suite.ts";
import type { Variant } from "../../domain/trial.ts";
import { groupBy } from "../../lib/group-by.ts";
import { type Arm, armOf, holdsTo } from "../benchmark/arm.ts";
import { type CheckTally, tally } from "../benchmark/check-patterns.ts";
import type { Evaluated } from "../evaluated.ts";

/**
 * What a check has shown so far. `no baseline`: it was never held against a run without the skill, or cannot be, so that
 * always passing says nothing bad about it.
 */
type AuditVerdict =
  | "keep"
  | "never passes"
  | "never fails"
  | "never differs"
  | "no baseline"
  | "too few runs";

export interface AuditedCheck {
  readonly caseId: string;
  readonly checkId: string;
  readonly layer: Layer;
  readonly text: string;
  readonly withSkill: CheckTally;
  readonly withoutSkill: CheckTally;
  readonly verdict: AuditVerdict;
  /** Why judges called it weak, in their words; a clearly wrong output would pass it too. */
  readonly weak: readonly string[];
}

export interface AuditLimits {
  /** Decided verdicts per arm from which on a check is judged. */
  readonly minRuns: number;
  /** The smallest difference between the arms' pass rates that counts as one. */
  readonly minDifference: number;
}

/** The checks of the newest iteration, over all iterations given, oldest first. */
export function auditChecks(iterations: readonly Evaluated[], options: AuditLimits): AuditedCheck[] {
  const arms = iterations.flatMap((evaluated) =>
    (["with_skill", "new_skill", "without_skill"] as const).map((variant) => armOf(evaluated, variant)),
  );
  const weaknesses = weaknessesOf(iterations);
  const tasks = iterations.at(-1)?.cases.filter((one) => one.kind === "task") ?? [];
  return tasks.flatMap((one) =>
    one.checks.map((check) => {
      const of = (variants: readonly Variant[]) =>
        sumOver(
          arms.filter((arm) => variants.includes(arm.variant)),
          one,
          check.id,
        );
      const withSkill = of(["with_skill", "new_skill"]);
      const withoutSkill = of(["without_skill"]);
      const comparable = holdsTo(check, "without_skill") && withoutSkill.total > 0;
      return {
        caseId: one.id,
        checkId: check.id,
        layer: check.layer,
        text: check.text,
        withSkill,
        withoutSkill,
        verdict: verdictOf(withSkill, comparable ? withoutSkill : null, options),
        weak: weaknesses.get(JSON.stringify([one.id, check.text])) ?? [],
      };
    }),
  );
}

/** What an author should look at; a suite without any is healthy. */
export function flaggedChecks(checks: readonly AuditedCheck[]): AuditedCheck[] {
  return checks.filter(({ verdict, weak }) => FLAGGED.has(verdict) || weak.length > 0);
}

/** What judges called weak, by case and text of the check; each reason once. */
function weaknessesOf(iterations: readonly Evaluated[]): ReadonlyMap<string, readonly string[]> {
  const said = iterations.flatMap(({ trials, gradings }) =>
    trials.flatMap(({ id, caseId }) =>
      (gradings.get(id)?.evalFeedback?.suggestions ?? []).map(({ assertion, reason }) => ({
        about: JSON.stringify([caseId, assertion]),
        reason,
      })),
    ),
  );
  const byCheck = groupBy(said, ({ about }) => about);
  return new Map(
    [...byCheck].map(([about, alike]) => [about, [...new Set(alike.map(({ reason }) => reason))]]),
  );
}

const FLAGGED: ReadonlySet<AuditVerdict> = new Set(["never passes", "never fails", "never differs"]);

function verdictOf(
  withSkill: CheckTally,
  withoutSkill: CheckTally | null,
  { minRuns, minDifference }: AuditLimits,
): AuditVerdict {
  if (withSkill.total < minRuns) return "too few runs";
  if (withSkill.passed === 0) return "never passes";
  if (withoutSkill === null) return "no baseline";
  if (withoutSkill.total < minRuns) return "too few runs";
  if (withSkill.passed === withSkill.total && withoutSkill.passed === withoutSkill.total)
    return "never fails";
  const difference = withSkill.passed / withSkill.total - withoutSkill.passed / withoutSkill.total;
  return Math.abs(difference) < minDifference ? "never differs" : "keep";
}

function sumOver(arms: readonly Arm[], one: Case, checkId: string): CheckTally {
  const tallies = arms.map((arm) => tally(arm, one.id, checkId));
  return {
    passed: tallies.reduce((sum, part) => sum + part.passed, 0),
    total: tallies.reduce((sum, part) => sum + part.total, 0),
  };
}
