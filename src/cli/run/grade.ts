import type { Grading } from "../../domain/grading.ts";
import { gradeRun } from "../../grade/grade.ts";
import type { Grader } from "../../grade/grader.ts";
import type { Subject } from "../../grade/subject.ts";

/** Grades each run by code first, then by whatever else is configured. */
export function makeGrade(
  graders: readonly Grader[],
): (subject: Subject, signal: AbortSignal) => Promise<Grading> {
  return (subject, signal) => gradeRun(subject, { graders, now: () => new Date() }, signal);
}
