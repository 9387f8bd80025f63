import type { Grading } from "../../domain/grading.ts";
import { gradeRun } from "../../grade/grade.ts";
import type { Grader } from "../../grade/grader.ts";
import { codeGraders } from "../../grade/graders/index.ts";
import type { Subject } from "../../grade/subject.ts";
import { safeRegex } from "../../lib/safe-regex/safe-regex.ts";
import { judgedGraders } from "./graders.ts";
import type { JudgeFinder } from "./judges.ts";
import type { ModelOptions } from "./open-models.ts";

export interface RunGrading extends AsyncDisposable {
  readonly grade: (subject: Subject, signal: AbortSignal) => Promise<Grading>;
}

/** Grades each run by code first, then by a judge where one is to be had. */
export function openGrading(
  find: JudgeFinder,
  { options, ownGraders, now }: { options: ModelOptions; ownGraders: readonly Grader[]; now: () => Date },
): RunGrading {
  const regex = safeRegex();
  const graders = [
    ...ownGraders,
    ...codeGraders({ regex, network: options.urlChecks }),
    ...judgedGraders(find, regex, options),
  ];
  return {
    grade: (subject, signal) => gradeRun(subject, { graders, now }, signal),
    [Symbol.asyncDispose]: async () => regex[Symbol.asyncDispose](),
  };
}
