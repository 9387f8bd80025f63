import type { SummaryVerdict } from "../domain/summary.ts";
import { plural } from "../lib/plural.ts";
import { ALL_REPORTED, type IterationReport, type Unreported } from "./reporter.ts";
import { addSpending, reusedText, spentText } from "./spending.ts";
import { timeOf } from "./costs.ts";
import { secondsText } from "./text.ts";

/** One line over everything that was run in one call. */
export function totalText(
  reports: readonly Pick<IterationReport, "summary">[],
  { failures, notBegun }: Unreported = ALL_REPORTED,
): string {
  const summaries = reports.map(({ summary }) => summary);
  const verdicts = Object.entries(VERDICT_WORDS).flatMap(([verdict, word]) => {
    const count = summaries.filter((summary) => summary.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  if (failures.length > 0) verdicts.push(`${failures.length} NOT EVALUATED`);
  if (notBegun.length > 0) verdicts.push(`${notBegun.length} not started`);
  const skills = new Set([...summaries, ...failures, ...notBegun].map(({ suite }) => suite)).size;
  const many = skills >= summaries.length ? "" : ` in ${plural(summaries.length, "iteration")}`;
  const trials = summaries.reduce((all, one) => all + one.trials, 0);
  const spending = addSpending(summaries.map((summary) => summary.spending));
  const reused = reusedText(spending);
  const time = secondsText(timeOf(summaries));
  return `total: ${plural(skills, "skill")}${many}: ${verdicts.join(", ")}; ${plural(trials, "trial")}; agent time ${time}; ${spentText(spending)}${reused === null ? "" : `; ${reused}`}`;
}

/** In the order in which they are counted. */
export const VERDICT_WORDS: Readonly<Record<SummaryVerdict, string>> = {
  passed: "passed",
  failed: "FAILED",
  unfinished: "INCOMPLETE",
  ungraded: "ungraded",
};
