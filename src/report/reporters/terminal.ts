import type { EvalEvent, EventOf } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import { countsAs } from "../../domain/run.ts";
import type { Missing, Spending, Summary } from "../../domain/summary.ts";
import { printable } from "../../lib/printable.ts";
import { benchmarkLines, headline } from "../benchmark/benchmark-text.ts";
import { failureLines } from "../failure-lines.ts";
import { BENCHMARK_GATE } from "../gates.ts";
import { limitText } from "../limit-text.ts";
import type { IterationReport, Reporter } from "../reporter.ts";
import { totalText } from "../total-text.ts";
import { reusedText, spentText } from "../spending.ts";
import { triggerLines } from "../trigger-text.ts";
import { outcomeText, rateText, secondsText, usageText } from "../text.ts";

export interface TerminalOptions {
  /** Progress lines. */
  readonly progress: (text: string) => void;
  /** The result. */
  readonly write: (text: string) => void;
  /** How a path is shown. */
  readonly show: (path: string) => string;
  /** How many failing checks are shown in full. */
  readonly mostFailures: number;
}

/** Plain lines: one per finished trial, then what failed and why, then the numbers. */
export function terminalReporter(options: TerminalOptions): Reporter {
  const progress = new Progress(options.progress);
  return {
    name: "terminal",
    event: (event, iteration) => progress.hear(event, iteration),
    finish: (reports, rest) => {
      for (const report of reports) options.write(printable(resultText(report, options)));
      const all = reports.length + rest.failures.length + rest.notBegun.length;
      if (all > 1 && reports.length > 0) options.write(printable(`\n${totalText(reports, rest)}\n`));
    },
  };
}

class Progress {
  /** By iteration: several may be at work at once. */
  readonly #counts = new Map<string, { planned: number; done: number }>();
  #limits = "";
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  hear(event: EvalEvent, iteration: Iteration): void {
    switch (event.kind) {
      case "iteration-started":
        this.#counts.set(keyOf(iteration), { planned: event.trials.length, done: 0 });
        this.#say(
          `${nameOf(event.iteration)}: ${event.trials.length} ${event.trials.length === 1 ? "trial" : "trials"} with ${event.iteration.harness}${event.resumed ? ", resumed" : ""}`,
        );
        break;
      case "trial-finished":
        if (countsAs(event.run.outcome) !== "graded") this.#finished(event, iteration);
        break;
      case "verdicts-recorded":
        this.#graded(event, iteration);
        break;
      case "services-limited":
        this.#limits = limitText(event.limits);
        break;
      case "note":
        this.#say(`note: ${event.message}`);
        break;
      default:
        break;
    }
  }

  #finished({ trial, run, attempt }: EventOf<"trial-finished">, iteration: Iteration): void {
    const which = attempt === 1 ? "" : ` (attempt ${attempt})`;
    this.#say(`  ${this.#named(trial.id, iteration)}${which}: ${outcomeText(run.outcome)}`);
  }

  #graded({ trial, grading }: EventOf<"verdicts-recorded">, iteration: Iteration): void {
    const { verdicts } = grading;
    const count = this.#counts.get(keyOf(iteration)) ?? { planned: 0, done: 0 };
    count.done++;
    const passed = verdicts.filter((verdict) => verdict.status === "passed").length;
    const unscored = verdicts.filter((verdict) => verdict.status === "unscored").length;
    const rest = unscored === 0 ? "" : `, ${unscored} unscored`;
    this.#say(
      `  ${count.done}/${count.planned} ${this.#named(trial.id, iteration)}: ${passed}/${verdicts.length} checks passed${rest}${this.#limits}`,
    );
  }

  /** With the skill in front where several are at work. */
  #named(trialId: string, iteration: Iteration): string {
    return this.#counts.size > 1 ? `${nameOf(iteration)} ${trialId}` : trialId;
  }

  #say(line: string): void {
    this.#write(`${printable(line)}\n`);
  }
}

/** The model only where one was asked for: the client's own is not known yet. */
function nameOf({ suite, model }: Pick<Iteration, "suite" | "model">): string {
  return model === null ? suite : `${suite} (${model})`;
}

function keyOf({ suite, number }: Iteration): string {
  return `${suite}@${number}`;
}

function resultText(report: IterationReport, options: TerminalOptions): string {
  const { summary } = report;
  const lines = [
    "",
    `${nameOf(summary)}: ${headlineOf(summary)}`,
    ...(summary.benchmark === null ? [] : benchmarkLines(summary.benchmark, options.mostFailures)),
    ...(summary.benchmark === null ? failureLines(report, options.mostFailures) : []),
    ...(summary.triggers === null
      ? []
      : triggerLines(summary.triggers, report.agreement ?? null, options.mostFailures)),
    ...summary.variants.map(
      (variant) =>
        `  ${variant.variant}: ${variant.checks.total === 0 ? "no checks scored" : `checks passed ${rateText(variant.checks)}`}; ${variant.scored} of ${variant.trials} trials counted`,
    ),
    ...stabilityLines(summary),
    ...missingLines(summary.missing),
    ...summary.alarms.map((alarm) => `  ALARM: ${alarm}`),
    `  agents: ${spentText(summary.spending)}; agent time ${secondsText(summary.durationMs)}${judgeText(summary)}`,
    ...(summary.benchmark === null ? reusedLines(summary.spending) : savedLines(summary)),
    `  results: ${options.show(report.folder)}`,
    "",
  ];
  return lines.join("\n");
}

/** What a benchmark found says more than that no gate stood in its way. */
function headlineOf({ benchmark, verdict, gates, missing }: Summary): string {
  if (benchmark === null) {
    return verdict === "ungraded" && missing.ungradedCases === 0 ? NOT_GRADED_YET : HEADLINES[verdict];
  }
  if (verdict === "unfinished") return `${headline(benchmark)}; ${HEADLINES.unfinished}`;
  const missed = gates.filter((gate) => !gate.met && gate.name !== BENCHMARK_GATE);
  return `${headline(benchmark)}${missed.length === 0 ? "" : `; FAILED ${missed.map(({ name }) => name).join(", ")}`}`;
}

const HEADLINES = {
  passed: "passed",
  failed: "FAILED",
  unfinished: "INCOMPLETE, some results are missing",
  ungraded: "ran, but has no checks",
} as const;

const NOT_GRADED_YET = "ran without grading; grade it with assay grade";

/** Over the runs that could be held to their gate. */
function stabilityLines({ benchmark, cases }: Summary): string[] {
  if (benchmark !== null) return [];
  const repeated = cases.filter((one) => one.kind === "task" && one.trials.length > 1);
  return repeated.flatMap(({ caseId, variant, trials }) => {
    const held = trials.filter(({ meetsGate }) => meetsGate !== null);
    const met = held.filter(({ meetsGate }) => meetsGate === true);
    return held.length === 0
      ? []
      : [`  ${caseId} (${variant}): passed in ${met.length} of ${held.length} runs`];
  });
}

function missingLines({ leftOut, notRun, unscoredChecks, ungradedCases }: Missing): string[] {
  const parts = Object.entries(leftOut).map(([status, count]) => `${count} ${status}`);
  if (notRun > 0) parts.push(`${notRun} not run`);
  const lines = parts.length === 0 ? [] : [`  left out: ${parts.join(", ")}`];
  if (unscoredChecks > 0)
    lines.push(`  unscored checks: ${unscoredChecks}; retry without running: assay grade`);
  if (ungradedCases > 0) lines.push(`  cases without any check: ${ungradedCases}`);
  return lines;
}

function savedLines({ saved }: Summary): string[] {
  if (saved === null) return [];
  const runs = `${saved.runs} earlier baseline ${saved.runs === 1 ? "run" : "runs"}`;
  return [`  saved by reusing ${runs}: ${usageText(saved.usage)}; ${secondsText(saved.durationMs)}`];
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
