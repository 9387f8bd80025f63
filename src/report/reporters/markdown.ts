import type { CaseSummary } from "../../domain/summary.ts";
import { markdownText } from "../../lib/markdown-text.ts";
import { headline } from "../benchmark/benchmark-text.ts";
import { timeOf } from "../costs.ts";
import { isHeld } from "../held.ts";
import { type Problem, problemsOf } from "../problems.ts";
import type { IterationReport, Reporter, Unreported } from "../reporter.ts";
import { rateText, secondsText } from "../text.ts";
import { totalText, VERDICT_WORDS } from "../total-text.ts";

/** A comment holds 65,536 characters. */
const MOST_TITLE = 200;
const MOST_MESSAGE = 1000;

/** How many problems a reader of a pull request wants to see of one skill. */
const MOST = 20;

/** A section for each skill: verdict, a table of its cases, what to look at. For job summaries and comments. */
export function markdownReporter(write: (text: string) => void): Reporter {
  return {
    name: "markdown",
    finish(reports, rest) {
      write([...reports.map(section), ...unreported(rest), totalLine(reports, rest)].join("\n"));
    },
  };
}

function section(report: IterationReport): string {
  const { summary, evaluated } = report;
  const { benchmark } = summary;
  const held = summary.cases.filter(
    ({ kind, variant }) => kind === "task" && isHeld(variant, evaluated.iteration),
  );
  const problems = problemsOf(report);
  const who = summary.model === null ? summary.harness : `${summary.harness}, ${summary.model}`;
  return [
    `## ${markdownText(summary.suite)}: ${VERDICT_WORDS[summary.verdict]}`,
    "",
    ...(benchmark === null ? [] : [markdownText(benchmark.decision?.text ?? headline(benchmark)), ""]),
    `Iteration ${summary.iteration} on ${markdownText(who)}.`,
    "",
    ...(held.length === 0 ? [] : ["| case | checks passed | runs | time |", "|---|---|---|---|"]),
    ...held.map(row),
    ...(held.length === 0 ? [] : [""]),
    ...problems.slice(0, MOST).map(item),
    ...(problems.length > MOST ? [`- and ${problems.length - MOST} more`] : []),
    ...(problems.length === 0 ? [] : [""]),
  ].join("\n");
}

function row({ caseId, name, checks, trials }: CaseSummary): string {
  const called = name === null ? caseId : `${caseId} ${name}`;
  const cells = [markdownText(called), rateText(checks), String(trials.length), secondsText(timeOf(trials))];
  return `| ${cells.join(" | ")} |`;
}

const MARKS = { failed: "✗", missing: "!", open: "?" } as const;

function item({ kind, title, message }: Problem): string {
  return `- ${MARKS[kind]} **${markdownText(title.slice(0, MOST_TITLE))}**: ${markdownText(message.slice(0, MOST_MESSAGE))}`;
}

function unreported({ failures, notBegun }: Unreported): readonly string[] {
  return [
    ...failures.map(
      ({ suite, message }) => `## ${markdownText(suite)}: NOT EVALUATED\n\n${markdownText(message)}\n`,
    ),
    ...notBegun.map(({ suite }) => `## ${markdownText(suite)}: not started\n`),
  ];
}

function totalLine(reports: readonly IterationReport[], rest: Unreported): string {
  return `${markdownText(totalText(reports, rest))}\n`;
}
