import type { Suite } from "../../domain/suite.ts";
import { NO_JUDGE } from "../../grade/no-judge.ts";
import { plural } from "../../lib/plural.ts";
import type { JudgeFinder } from "./judges.ts";

/**
 * What a person should know about judging before agents cost anything. Throws a UserError when what was asked for cannot be
 * had; null when nothing needs a judge or one is there. `remedy` is what can be done without a judge.
 */
export function judgeNote(
  suites: readonly Pick<Suite, "cases">[],
  find: JudgeFinder,
  remedy = ". --no-grade runs now, and assay grade grades later",
): string | null {
  const cases = suites.flatMap((suite) => suite.cases).filter((one) => judgedChecks(one) > 0);
  const unjudged = cases
    .filter((one) => find.panel(one).length === 0)
    .reduce((count, one) => count + judgedChecks(one), 0);
  if (unjudged === 0) return null;
  return `${NO_JUDGE}; ${plural(unjudged, "check")} cannot be decided until then${remedy}`;
}

function judgedChecks({ kind, checks }: Suite["cases"][number]): number {
  return kind === "task" ? checks.filter(({ layer }) => layer !== "L1").length : 0;
}
