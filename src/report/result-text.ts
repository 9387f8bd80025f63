import type { Spending, Summary, VariantSummary } from "../domain/summary.ts";
import { plural } from "../lib/plural.ts";
import { armLines, benchmarkLines, briefBenchmarkLines } from "./benchmark/benchmark-text.ts";
import { boundText, missedBounds } from "./bounds.ts";
import { caseTable } from "./case-table.ts";
import { BENCHMARK_GATE } from "./gates.ts";
import { failureLines } from "./failure-lines.ts";
import { headlineOf } from "./headline.ts";
import { isHeld } from "./held.ts";
import { iterationName } from "./iteration-name.ts";
import { nextStep, type NextStep } from "./next-step.ts";
import { type Look, type PageLine, pageText } from "./page.ts";
import { remarkText } from "./remarks.ts";
import type { IterationReport } from "./reporter.ts";
import { countsText, leftOutText, repeatedText } from "./run-counts.ts";
import { reusedText, spentText } from "./spending.ts";
import { checksText, secondsText, usageText } from "./text.ts";
import { triggerLines } from "./trigger-text.ts";

export interface ResultOptions extends NextStep {
  readonly look: Look;
  /** How many failing checks are shown in full. */
  readonly mostFailures: number;
}

/** A table of the cases, what failed and why, the verdict with its numbers, and what to do next. */
export function resultText(report: IterationReport, options: ResultOptions): string {
  const { look } = options;
  if (look.brief) return `\n${pageText(briefLines(report, options), look)}`;
  const findings = findingLines(report, options);
  const verdict = [verdictLine(report)];
  const rest = [...detailLines(report, options), ...nextLines(report, options)];
  // What a benchmark found explains its verdict; checks that failed lead to one.
  const pages =
    report.summary.benchmark === null
      ? [findings, [...verdict, ...rest]]
      : [[...verdict, ...findings, ...rest]];
  return [
    options.isOneOfMany ? `\n${pageText([iterationName(report.summary)], look).trimEnd()}` : "",
    ...[caseTable(report, look), ...pages.map((lines) => pageText(lines, look))].filter(
      (part) => part !== "",
    ),
  ].join("\n");
}

/** For a reader who pays by the word: the verdict, what failed, what to do. */
function briefLines(report: IterationReport, options: ResultOptions): PageLine[] {
  const { summary } = report;
  return [
    verdictLine(report),
    ...(summary.benchmark === null
      ? [...findingLines(report, { ...options, mostFailures: MOST_BRIEF }), ...rateLines(summary)]
      : [...briefBenchmarkLines(summary.benchmark, MOST_BRIEF), ...outsideGateLines(summary)]),
    ...gateLines(report),
    ...missingLines(summary),
    ...summary.alarms
      .filter((alarm) => !(summary.benchmark?.decision?.text.includes(alarm) ?? false))
      .map((alarm) => `  ALARM: ${alarm}`),
    // What can be done beyond a pass is for people to decide.
    ...(summary.verdict === "passed" ? [] : nextLines(report, options)),
  ];
}

const MOST_BRIEF = 10;

function verdictLine({ summary }: IterationReport): PageLine {
  return `${iterationName(summary)}: ${headlineOf(summary)}`;
}

function findingLines(report: IterationReport, { mostFailures }: ResultOptions): PageLine[] {
  const { summary } = report;
  return [
    ...(summary.benchmark === null
      ? failureLines(report, mostFailures)
      : benchmarkLines(summary.benchmark, mostFailures)),
    ...(summary.triggers === null
      ? []
      : triggerLines(summary.triggers, report.agreement ?? null, mostFailures)),
  ];
}

function detailLines(report: IterationReport, options: ResultOptions): PageLine[] {
  const { summary } = report;
  return [
    ...(report.evaluated.iteration.skill === null ? [NO_SKILL] : []),
    ...rateLines(summary),
    ...gateLines(report),
    ...remarkLines(summary, options.mostFailures),
    ...missingLines(summary),
    ...summary.alarms.map((alarm) => `  ALARM: ${alarm}`),
    `  agents: ${spentText(summary.spending)}; agent time ${secondsText(summary.durationMs)}${judgeText(summary)}`,
    ...(summary.benchmark === null ? reusedLines(summary.spending) : savedLines(summary.spending)),
    `  results: ${options.show(report.folder)}`,
  ];
}

function nextLines(report: IterationReport, options: ResultOptions): PageLine[] {
  const next = nextStep(report, options);
  return next === null ? [] : [{ mark: null, text: `  Next: ${next}` }];
}

const NO_SKILL =
  "  no skill was installed: this is what the agent does on its own; pass a skill with --skill";

/** Beside a verdict about arms, what it is about. */
function rateLines({ benchmark, variants }: Summary): string[] {
  if (benchmark !== null && benchmark.comparisons.length > 0) return armLines(benchmark);
  return variants.filter(({ over }) => over === "task").flatMap(variantLines);
}

function variantLines(variant: VariantSummary): string[] {
  const { checks, cases, repeated } = variant;
  const passed = checks.total === 0 ? "no checks scored" : `checks passed ${checksText(checks, cases)}`;
  return [
    `  ${variant.variant}: ${passed}; ${countsText(variant)}`,
    ...(repeated === null ? [] : [`    ${repeatedText(repeated)}`]),
  ];
}

/** What was missed beyond single checks, with the bound and what was reached. */
function gateLines({ summary: { cases, gates }, evaluated }: IterationReport): string[] {
  return cases.flatMap((one) => {
    const gate = gates.find(({ caseId }) => caseId === one.caseId);
    if (gate === undefined || gate.met || !isHeld(one.variant, evaluated.iteration)) return [];
    return missedBounds(one, gate).map(
      ({ trialId, bound }) => `  gate missed: ${trialId ?? one.caseId}: ${boundText(bound)}`,
    );
  });
}

/** What a benchmark was held to beside itself, such as the last known good: elsewhere its notes say how that came out. */
function outsideGateLines({ gates }: Summary): string[] {
  return gates
    .filter(({ met, caseId, name }) => !met && caseId === null && name !== BENCHMARK_GATE)
    .map(({ name, detail }) => `  ${name}: ${detail}`);
}

function remarkLines({ remarks }: Summary, most: number): string[] {
  const shown = remarks.slice(0, most).map((remark) => `  ${remarkText(remark)}`);
  const hidden = remarks.length - shown.length;
  return hidden === 0 ? shown : [...shown, `  and ${hidden} more remarks in summary.json`];
}

/** Of tasks, what was left out stands beside their rates. */
function missingLines({ missing, triggers }: Summary): string[] {
  const { unscoredChecks, ungradedCases } = missing;
  const left = triggers === null ? "" : leftOutText(missing);
  const lines = left === "" ? [] : [`  left out: ${left}`];
  if (unscoredChecks > 0)
    lines.push(`  unscored checks: ${unscoredChecks}; retry without running: assay grade --no-cache`);
  if (ungradedCases > 0) lines.push(`  cases without any check: ${ungradedCases}`);
  return lines;
}

function savedLines({ reused }: Spending): string[] {
  if (reused.runs === 0) return [];
  const runs = plural(reused.runs, "earlier baseline run");
  return [`  saved by reusing ${runs}: ${usageText(reused.usage)}; ${secondsText(reused.durationMs)}`];
}

function reusedLines(spending: Spending): string[] {
  const text = reusedText(spending);
  return text === null ? [] : [`  ${text}`];
}

function judgeText({ judgeUsage }: Summary): string {
  const { inputTokens, outputTokens } = judgeUsage;
  if (inputTokens === null && outputTokens === null) return "";
  const isKept = inputTokens === 0 && outputTokens === 0;
  return `; judge: ${isKept ? "cached answers, $0" : usageText(judgeUsage)}`;
}
