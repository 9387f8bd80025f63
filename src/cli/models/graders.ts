import type { Check } from "../../domain/check.ts";
import type { Grader } from "../../grade/grader.ts";
import { criteriaGrader } from "../../grade/graders/criteria.ts";
import { extractionGrader } from "../../grade/graders/extraction.ts";
import type { Judge } from "../../grade/judge.ts";
import type { SafeRegex } from "../../lib/safe-regex/safe-regex.ts";
import type { JudgeFinder } from "./judges.ts";
import type { ModelOptions } from "./options.ts";

/** The graders that ask a model; each case may name its own. */
export function judgedGraders(
  find: JudgeFinder,
  regex: SafeRegex,
  options: Pick<ModelOptions, "judges" | "judgeRuns">,
): readonly Grader[] {
  const panel = (judge: Judge | null) =>
    judge === null ? [] : Array.from({ length: options.judges }, () => judge);
  return [
    perCase(find, (judge) => extractionGrader({ judge, regex })),
    perCase(find, (judge) => criteriaGrader({ judges: panel(judge), runs: options.judgeRuns })),
  ];
}

function perCase<C extends Check>(find: JudgeFinder, make: (judge: Judge | null) => Grader<C>): Grader<C> {
  const made = new Map<Judge | null, Grader<C>>();
  const graderFor = (judge: Judge | null): Grader<C> => {
    const grader = made.get(judge) ?? make(judge);
    made.set(judge, grader);
    return grader;
  };
  return {
    ...make(null),
    grade: (checks, subject, signal) => graderFor(find(subject.case)).grade(checks, subject, signal),
  };
}
