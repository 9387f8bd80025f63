import type { Grading } from "../../domain/grading.ts";
import { gradeRun } from "../../grade/grade.ts";
import { codeGraders } from "../../grade/graders/index.ts";
import type { Grader } from "../../grade/grader.ts";
import type { Subject } from "../../grade/subject.ts";
import { safeRegex } from "../../lib/safe-regex/safe-regex.ts";

export interface RunGrading extends AsyncDisposable {
  readonly grade: (subject: Subject, signal: AbortSignal) => Promise<Grading>;
}

/** Grades each run by code first, then by whatever else is configured. */
export function openGrading({
  judged,
  network,
}: {
  judged: readonly Grader[];
  network: "allowed" | "off";
}): RunGrading {
  const regex = safeRegex();
  const graders = [...codeGraders({ regex, network }), ...judged];
  return {
    grade: (subject, signal) => gradeRun(subject, { graders, now: () => new Date() }, signal),
    [Symbol.asyncDispose]: async () => regex[Symbol.asyncDispose](),
  };
}
