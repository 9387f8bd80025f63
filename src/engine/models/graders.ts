import type { Check } from "../../domain/check.ts";
import type { Grader } from "../../grade/grader.ts";
import { criteriaGrader } from "../../grade/graders/criteria.ts";
import { extractionGrader } from "../../grade/graders/extraction.ts";
import type { Judge } from "../../grade/judge.ts";
import { memo } from "../../lib/memo.ts";
import type { SafeRegex } from "../../lib/safe-regex/safe-regex.ts";
import type { JudgeFinder } from "./judges.ts";
import type { ModelOptions } from "./open-models.ts";

/** The graders that ask a model; each case may name its own. */
export function judgedGraders(
  find: JudgeFinder,
  regex: SafeRegex,
  { judgeRuns, judgeContext }: Pick<ModelOptions, "judgeRuns" | "judgeContext">,
): readonly Grader[] {
  return [
    perPanel(find, ([judge = null]) => extractionGrader({ judge, regex })),
    perPanel(find, (judges) => criteriaGrader({ judges, runs: judgeRuns, contextTokens: judgeContext })),
  ];
}

function perPanel<C extends Check>(
  { panel }: JudgeFinder,
  make: (judges: readonly Judge[]) => Grader<C>,
): Grader<C> {
  const graderOf = memo(make, (judges) => JSON.stringify(judges.map(({ name, model }) => [name, model])));
  return {
    ...make([]),
    grade: (checks, subject, signal) => graderOf(panel(subject.case)).grade(checks, subject, signal),
  };
}
