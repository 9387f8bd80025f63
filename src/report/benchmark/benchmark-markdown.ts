import type { ArmSummary, BenchmarkSummary, CaseComparison } from "../../domain/benchmark.ts";
import { fixedLikePython } from "../../stats/python-format.ts";
import { plural } from "../../lib/plural.ts";
import { percent } from "../text.ts";
import type { BenchmarkFile } from "./benchmark-file.ts";
import { countsText, repeatedText } from "../run-counts.ts";
import { byCaseText, causeLines, headline, measureLines } from "./benchmark-text.ts";
import { points } from "../../stats/words.ts";

/** benchmark.md: the same numbers for a person, with the finding first. */
export function benchmarkMarkdown(file: BenchmarkFile): string {
  const { metadata, statistics, notes } = file;
  const benchmark = { ...statistics, notes };
  const lines = [
    `# Skill Benchmark: ${text(metadata.skill_name)}`,
    "",
    ...(statistics.decision === null ? [] : [`**${statistics.decision.text}**`, ""]),
    `**Verdict**: ${headline(benchmark)}`,
    "",
    ...statistics.alarms.flatMap((alarm) => [`**ALARM**: ${text(alarm)}`, ""]),
    ...statistics.comparisons.flatMap((one, at) => [
      `${at === 0 ? "" : `${one.treatment} against ${one.baseline}: `}${one.passRate.explanation}`,
      "",
    ]),
    ...(statistics.noise === null ? [] : [statistics.noise.explanation, ""]),
    `**Model**: ${text(metadata.executor_model)} (${metadata.harness}); judge: ${text(metadata.analyzer_model)}`,
    `**Date**: ${metadata.timestamp}`,
    `**Evals**: ${metadata.evals_run.join(", ") || "none scored"} (${metadata.runs_per_configuration} runs each per configuration)`,
    "",
    ...summaryTable(file),
    ...caseTable(benchmark),
    ...missingSection(benchmark),
    ...(notes.length === 0 ? [] : ["## Notes", "", ...notes.map((note) => `- ${text(note)}`), ""]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function summaryTable({ run_summary: summary, statistics }: BenchmarkFile): string[] {
  const configurations = Object.keys(summary).filter((key) => key !== "delta");
  const delta = (summary["delta"] ?? {}) as Readonly<Record<string, string | null>>;
  const rows = (["time_seconds", "tokens"] as const).map((key) => {
    const cells = configurations.map((name) => cell(key, (summary[name] as Cells)[key]));
    return `| ${LABELS[key]} | ${cells.join(" | ")} | ${delta[key] ?? "—"} |`;
  });
  const rates = configurations.map((name) => rateCell(statistics.arms.find(({ arm }) => arm === name)));
  const lift = statistics.comparisons[0]?.passRate.lift ?? null;
  const counts = statistics.arms.map(countsText);
  const repeated = statistics.arms.flatMap(({ arm, repeated: found }) =>
    found === null ? [] : [`${arm}: ${repeatedText(found)}`],
  );
  const intervals = statistics.comparisons.slice(0, 1).flatMap(measureLines);
  return [
    "## Summary",
    "",
    `| Metric | ${configurations.join(" | ")} | Delta |`,
    `|---|${"---|".repeat(configurations.length)}---|`,
    `| Pass rate | ${rates.join(" | ")} | ${lift === null ? "—" : `${points(lift)} points`} |`,
    ...rows,
    ...(counts.length === configurations.length ? [`| Runs | ${counts.join(" | ")} | |`] : []),
    "",
    "Pass rates are means over cases, on the checks that were scored on both sides; time and tokens are means over all scored runs ± sample standard deviation.",
    ...(intervals.length + repeated.length === 0
      ? []
      : ["", ...[...intervals, ...repeated].map((line) => `- ${line.trim()}`)]),
    "",
  ];
}

function rateCell(arm: ArmSummary | undefined): string {
  const compared = arm?.compared ?? null;
  if (compared === null || compared.checks.total === 0) return "—";
  const { checks, cases, leftOut } = compared;
  const rest = leftOut === 0 ? "" : `, ${leftOut} not compared`;
  return `${byCaseText(checks, cases)} (${checks.passed} of ${checks.total} checks${rest})`;
}

type Cells = Readonly<Record<keyof typeof LABELS, { mean: number; stddev: number } | null>>;

const LABELS = { time_seconds: "Time (s)", tokens: "Tokens" } as const;

function cell(key: keyof typeof LABELS, stats: { mean: number; stddev: number } | null): string {
  if (stats === null) return "—";
  const decimals = key === "tokens" ? 0 : 1;
  return `${fixedLikePython(stats.mean, decimals)} ± ${fixedLikePython(stats.stddev, decimals)}`;
}

function caseTable({ cases, comparisons: [first] }: BenchmarkSummary): string[] {
  if (first === undefined || cases.length === 0) return [];
  return [
    "## Cases",
    "",
    `| Case | ${first.treatment} | ${first.baseline} | Difference | Remark |`,
    "|---|---|---|---|---|",
    ...cases.map(caseRow),
    "",
  ];
}

function missingSection(benchmark: BenchmarkSummary): string[] {
  const lines = causeLines(benchmark);
  return lines.length === 0 ? [] : ["## Missing results", "", ...lines.map((line) => `- ${text(line)}`), ""];
}

function caseRow({ caseId, name, treatment, baseline, difference, noSignal }: CaseComparison): string {
  const label = name === null || name === caseId ? caseId : `${caseId} ${name}`;
  const rate = (side: CaseComparison["treatment"]) =>
    side.passRate === null ? "—" : `${percent(side.passRate)} (${runsText(side)})`;
  const moved = difference === null ? "—" : `${points(difference)} points`;
  return `| ${text(label)} | ${rate(treatment)} | ${rate(baseline)} | ${moved} | ${text(noSignal.join("; "))} |`;
}

function runsText({ scored, runs }: CaseComparison["treatment"]): string {
  return scored === runs ? plural(runs, "run") : `${scored} of ${plural(runs, "run")} scored`;
}

/** One line that leaves the table and the list around it whole. */
function text(words: string): string {
  return words.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
