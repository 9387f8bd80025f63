import { join } from "node:path";
import type { BenchmarkSummary } from "../domain/benchmark.ts";
import { raisedLimit } from "../domain/limits.ts";
import type { CaseSummary, Summary, TrialSummary } from "../domain/summary.ts";
import { DEFAULT_MAX_TRIGGER_RUNS } from "../domain/triggers.ts";
import { leftOutTotal } from "./missing.ts";
import type { IterationReport } from "./reporter.ts";

export interface NextStep {
  /** What the user typed, ready to be typed again; absent: it is not known. */
  readonly command?: string | undefined;
  readonly show: (path: string) => string;
  /** Several iterations were reported. */
  readonly isOneOfMany: boolean;
}

/** A command to copy that brings the reader further; null where there is none that surely works. */
export function nextStep(report: IterationReport, options: NextStep): string | null {
  const { summary } = report;
  if (options.command === undefined) return null;
  switch (summary.verdict) {
    case "failed":
      return showCommand(report, options, firstMissed(report));
    case "unfinished":
      if (leftOutTotal(summary.missing) > 0) return resumingCommand(report, options.command);
      if (isUnsettled(summary)) return settlingCommand(options.command);
      return summary.missing.unscoredChecks > 0
        ? "assay grade --no-cache"
        : showCommand(report, options, brokenOff(report) ?? anyTrial(report));
    case "ungraded":
      if (summary.benchmark?.noise) return benchmarkCommand(options.command, summary.benchmark);
      return summary.missing.ungradedCases === 0 ? "assay grade" : null;
    case "passed":
      return options.isOneOfMany ? null : furtherCommand(report, { ...options, command: options.command });
  }
}

/** What passed is compared with no skill; what is better than that is shown to others. */
function furtherCommand(
  { summary: { suite, benchmark, alarms, cases }, evaluated, folder }: IterationReport,
  { command, show }: NextStep & { readonly command: string },
): string | null {
  if (benchmark !== null)
    return benchmark.decision?.action === "ship"
      ? `assay report ${shellWord(show(folder))} --out ${shellWord(`${suite}.html`)}`
      : null;
  const isOfTasks = cases.some(({ kind }) => kind === "task");
  if (!isOfTasks || alarms.length > 0 || evaluated.iteration.skill === null) return null;
  const words = command.split(" ");
  if (words[1] !== "run" || words.some((word) => word.startsWith("--mode"))) return null;
  return ["assay bench", ...words.slice(2).filter((word) => !ONLY_OF_RUNS.has(word))].join(" ");
}

/** Flags that mean nothing to a benchmark. */
const ONLY_OF_RUNS: ReadonlySet<string> = new Set([
  "--resume",
  "--retry-errors",
  "--affected",
  "--last-failed",
  "--fail-fast",
  "--watch",
]);

function isUnsettled({ triggers, missing }: Summary): boolean {
  return (
    missing.unscoredChecks === 0 && (triggers?.queries.some(({ moreRuns }) => moreRuns !== null) ?? false)
  );
}

/** Asks queries that chance may have decided more often. */
function settlingCommand(command: string): string | null {
  const words = command.split(" ");
  const at = words.indexOf("--max-runs");
  const rest = words.filter((_, place) => at < 0 || (place !== at && place !== at + 1)).join(" ");
  return withFlag(`${rest} --max-runs ${2 * DEFAULT_MAX_TRIGGER_RUNS}`, "--resume");
}

/** With more room where a limit ended runs; null where the same would only happen again. */
function resumingCommand(report: IterationReport, command: string): string | null {
  const { leftOut, notRun } = report.summary.missing;
  const isSetup = notRun === 0 && Object.keys(leftOut).every((status) => status === "setup-skipped");
  if (isSetup) return null;
  const raised = trialsOf(report)
    .map(({ outcome }) => ("excess" in outcome ? raisedLimit(outcome.excess) : null))
    .find((limit) => limit !== null);
  return withFlag(raised === undefined || raised === null ? command : withLimit(command, raised), "--resume");
}

function withLimit(command: string, raised: string): string {
  const words = command.split(" ");
  const at = words.indexOf("--limits");
  if (at < 0) return `${command} --limits ${raised}`;
  const [name = ""] = raised.split("=");
  const others = (words[at + 1] ?? "").split(",").filter((one) => !one.startsWith(`${name}=`));
  return words.with(at + 1, [...others, raised].join(",")).join(" ");
}

function withFlag(command: string, flag: string): string | null {
  if (!/^assay (run|bench) /.test(command)) return null;
  return command.split(" ").includes(flag) ? command : `${command} ${flag}`;
}

/** Runs of one skill differ no more than by chance, so that two arms can be compared. */
function benchmarkCommand(command: string, { decision }: BenchmarkSummary): string | null {
  if (decision?.action !== "go on") return null;
  return command
    .split(" ")
    .filter((word) => word !== "--aa")
    .join(" ");
}

type Shown = Pick<TrialSummary, "trialId"> & Pick<CaseSummary, "caseId">;

function trialsOf({ summary }: IterationReport): readonly (TrialSummary & Shown)[] {
  return summary.cases.flatMap(({ caseId, trials }) => trials.map((trial) => ({ caseId, ...trial })));
}

function firstMissed(report: IterationReport): Shown | undefined {
  const missed = new Set(report.summary.gates.filter(({ met }) => !met).map(({ caseId }) => caseId));
  return trialsOf(report).find(({ caseId, meetsGate }) => missed.has(caseId) && meetsGate !== true);
}

function brokenOff(report: IterationReport): Shown | undefined {
  return trialsOf(report).find(({ outcome }) => outcome.status !== "completed");
}

function anyTrial(report: IterationReport): Shown | undefined {
  return trialsOf(report)[0];
}

/** By its case where that is enough; a folder names it whatever happens. */
function showCommand(
  { summary, folder, runFolders }: IterationReport,
  { show, isOneOfMany }: NextStep,
  first: Shown | undefined,
): string | null {
  if (first === undefined) return null;
  const isUsual = show(folder).startsWith(".assay/");
  const place = show(join(folder, runFolders.get(first.trialId) ?? ""));
  // The first run is what a case alone means.
  const { caseId, trialId } = first;
  const trial = trialId === `${caseId}/with_skill/run-1` ? caseId : trialId;
  const named = isOneOfMany ? `${summary.suite}@${summary.iteration}/${trial}` : trial;
  return `assay show ${shellWord(isUsual ? named : place)}`;
}

/** Quoted where a shell would take it apart. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
