import type { BenchmarkSummary, CaseComparison } from "../../domain/benchmark.ts";
import { fixedLikePython, signedLikePython } from "../../stats/python-format.ts";
import { percent } from "../text.ts";
import type { BenchmarkFile } from "./benchmark-file.ts";
import { causeLines, headline, leftOutText, measureLines } from "./benchmark-text.ts";

/** benchmark.md: the same numbers for a person, with the finding first. */
export function benchmarkMarkdown(file: BenchmarkFile): string {
  const { metadata, statistics, notes } = file;
  const benchmark = { ...statistics, notes };
  const lines = [
    `# Skill Benchmark: ${text(metadata.skill_name)}`,
    "",
    `**Verdict**: ${headline(benchmark)}`,
    "",
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
  const delta = (summary["delta"] ?? {}) as Readonly<Record<string, string>>;
  const rows = (["pass_rate", "time_seconds", "tokens"] as const).map((key) => {
    const cells = configurations.map((name) => cell(key, (summary[name] as Cells)[key]));
    return `| ${LABELS[key]} | ${cells.join(" | ")} | ${delta[key] ?? "—"} |`;
  });
  const counts = statistics.arms.map(leftOutText);
  const intervals = statistics.comparisons.slice(0, 1).flatMap(measureLines);
  return [
    "## Summary",
    "",
    `| Metric | ${configurations.join(" | ")} | Delta |`,
    `|---|${"---|".repeat(configurations.length)}---|`,
    ...rows,
    ...(counts.length === configurations.length ? [`| Runs counted | ${counts.join(" | ")} | |`] : []),
    "",
    "Means over all scored runs ± sample standard deviation.",
    ...(intervals.length === 0 ? [] : ["", ...intervals.map((line) => `- ${line.trim()}`)]),
    "",
  ];
}

type Cells = Readonly<Partial<Record<keyof typeof LABELS, { mean: number; stddev: number }>>>;

const LABELS = { pass_rate: "Pass rate", time_seconds: "Time (s)", tokens: "Tokens" } as const;

function cell(key: keyof typeof LABELS, stats: { mean: number; stddev: number } | undefined): string {
  if (stats === undefined) return "—";
  if (key === "pass_rate") return `${percent(stats.mean)} ± ${percent(stats.stddev)}`;
  const decimals = key === "tokens" ? 0 : 1;
  return `${fixedLikePython(stats.mean, decimals)} ± ${fixedLikePython(stats.stddev, decimals)}`;
}

function caseTable({ cases, comparisons: [first] }: BenchmarkSummary): string[] {
  if (first === undefined || cases.length === 0) return [];
  return [
    "## Cases",
    "",
    `| Case | ${first.treatment} | ${first.baseline} | Difference | Why there is no signal |`,
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
    side.passRate === null ? "—" : `${percent(side.passRate)} (${side.scored} of ${side.runs} runs)`;
  const moved = difference === null ? "—" : signedLikePython(difference, 2);
  return `| ${text(label)} | ${rate(treatment)} | ${rate(baseline)} | ${moved} | ${text(noSignal.join("; "))} |`;
}

/** One line that leaves the table and the list around it whole. */
function text(words: string): string {
  return words.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
