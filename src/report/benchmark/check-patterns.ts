import type { Case } from "../../domain/suite.ts";
import { type Arm, sharedChecks } from "./arm.ts";

/** How one check fared in both arms, over all runs that decided it. */
export interface CheckPattern {
  readonly case: Case;
  readonly checkId: string;
  readonly text: string;
  readonly treatment: CheckTally;
  readonly baseline: CheckTally;
}

export interface CheckTally {
  readonly passed: number;
  readonly total: number;
}

/** What a check says about the arms; `mixed` where it says it only sometimes. */
export type Pattern = "passes in both" | "fails in both" | "only in treatment" | "only in baseline" | "mixed";

/** The checks that both arms are held to and both have decided at least once. */
export function checkPatterns(
  cases: readonly Case[],
  { treatment, baseline }: { readonly treatment: Arm; readonly baseline: Arm },
): CheckPattern[] {
  return cases.flatMap((one) => {
    const shared = sharedChecks(one, treatment, baseline);
    return one.checks
      .filter((check) => shared.has(check.id))
      .map((check) => ({
        case: one,
        checkId: check.id,
        text: check.text,
        treatment: tally(treatment, one.id, check.id),
        baseline: tally(baseline, one.id, check.id),
      }))
      .filter((pattern) => pattern.treatment.total > 0 && pattern.baseline.total > 0);
  });
}

export function patternOf({ treatment, baseline }: Pick<CheckPattern, "treatment" | "baseline">): Pattern {
  const here = treatment.passed / treatment.total;
  const there = baseline.passed / baseline.total;
  if (here === 1 && there === 1) return "passes in both";
  if (here === 0 && there === 0) return "fails in both";
  if (here === 1 && there === 0) return "only in treatment";
  return here === 0 && there === 1 ? "only in baseline" : "mixed";
}

/** An entry check speaks once per entry; all its verdicts count. */
export function tally(arm: Arm, caseId: string, checkId: string): CheckTally {
  let [passed, total] = [0, 0];
  for (const { verdicts } of arm.runs.get(caseId) ?? [])
    for (const verdict of verdicts) {
      if (verdict.checkId !== checkId) continue;
      total++;
      if (verdict.status === "passed") passed++;
    }
  return { passed, total };
}
