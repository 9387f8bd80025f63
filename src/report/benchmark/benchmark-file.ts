import type { BenchmarkSummary } from "../../domain/benchmark.ts";
import { type Run, totalTokens } from "../../domain/run.ts";
import type { Variant } from "../../domain/trial.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { describeValues } from "../../stats/descriptive.ts";
import { roundLikePython, signedLikePython } from "../../stats/python-format.ts";
import type { Evaluated } from "../evaluated.ts";
import { armOf, type CountedRun } from "./arm.ts";

/**
 * benchmark.json as skill-creator's tools read it; what is ours lies in `statistics` and in further keys of `metadata`.
 * What is unknown is left out, because those tools take null for a number and 0 for a measurement.
 */
export interface BenchmarkFile {
  readonly metadata: BenchmarkMetadata;
  readonly runs: readonly BenchmarkFileRun[];
  /** The arm under test first: the viewer takes the first two keys for its columns. */
  readonly run_summary: Readonly<Record<string, Partial<ConfigurationStats> | DeltaTexts>>;
  readonly notes: readonly string[];
  readonly statistics: Omit<BenchmarkSummary, "notes">;
}

interface BenchmarkMetadata {
  readonly skill_name: string;
  readonly skill_path: string;
  readonly executor_model: string;
  readonly analyzer_model: string;
  readonly timestamp: string;
  readonly evals_run: readonly number[];
  readonly runs_per_configuration: number;
  readonly harness: string;
  readonly client: string;
  readonly iteration: number;
  readonly left_out: Readonly<Record<string, number>>;
}

interface BenchmarkFileRun {
  readonly eval_id: number;
  readonly eval_name: string;
  readonly configuration: string;
  readonly run_number: number;
  readonly result: RunResult;
  readonly expectations: readonly {
    readonly text: string;
    readonly passed: boolean;
    readonly evidence: string;
  }[];
  readonly notes: readonly string[];
}

interface RunResult {
  readonly pass_rate: number;
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly time_seconds: number;
  readonly tokens?: number;
  readonly tool_calls: number;
  readonly errors: number;
}

interface Stats {
  readonly mean: number;
  readonly stddev: number;
  readonly min: number;
  readonly max: number;
}

interface ConfigurationStats {
  readonly pass_rate: Stats;
  readonly time_seconds: Stats;
  readonly tokens: Stats;
}

type DeltaTexts = Readonly<Partial<Record<keyof ConfigurationStats, string>>>;

/** How the rest of the iteration folder writes the same things. */
export interface FileWords {
  readonly evalIds: ReadonlyMap<string, number>;
  readonly evidence: (verdict: Verdict) => string;
  readonly notes: (run: Run) => readonly string[];
}

export function benchmarkFile(
  evaluated: Evaluated,
  { notes, ...statistics }: BenchmarkSummary,
  words: FileWords,
): BenchmarkFile {
  const variants = variantsOf(evaluated);
  const runs = variants.flatMap((variant) => fileRuns(evaluated, variant, words));
  const configurations = variants.map(
    (variant) => [variant, statsOf(runs.filter((run) => run.configuration === variant))] as const,
  );
  const [primary, baseline] = configurations;
  const delta = primary && baseline ? { delta: deltaOf(primary[1], baseline[1]) } : {};
  return {
    metadata: metadataOf(evaluated, { runs, statistics, words }),
    runs,
    run_summary: { ...Object.fromEntries(configurations), ...delta },
    notes,
    statistics,
  };
}

/** The arm under test first. */
const ORDER: readonly Variant[] = ["with_skill", "new_skill", "inline", "without_skill", "old_skill"];

function variantsOf({ trials, cases }: Evaluated): Variant[] {
  const tasks = new Set(cases.filter((one) => one.kind === "task").map((one) => one.id));
  return ORDER.filter((variant) =>
    trials.some((trial) => trial.variant === variant && tasks.has(trial.caseId)),
  );
}

/** The scored runs in the order of the evals; a run of which nothing is decided is in no number. */
function fileRuns(evaluated: Evaluated, variant: Variant, words: FileWords): BenchmarkFileRun[] {
  const { runs } = armOf(evaluated, variant);
  return evaluated.cases.flatMap((one) =>
    (runs.get(one.id) ?? [])
      .filter(({ verdicts }) => verdicts.length > 0)
      .map((counted) => ({
        eval_id: words.evalIds.get(one.id) ?? 0,
        eval_name: one.name ?? one.id,
        configuration: variant,
        run_number: counted.trial.repetition,
        result: runResult(counted),
        expectations: counted.verdicts.map((verdict) => ({
          text: verdict.text,
          passed: verdict.status === "passed",
          evidence: words.evidence(verdict),
        })),
        notes: words.notes(counted.run),
      })),
  );
}

/** The same figures as the run's grading.json and timing.json have. */
function runResult({ run, verdicts }: CountedRun): RunResult {
  const passed = verdicts.filter((verdict) => verdict.status === "passed").length;
  const tokens = totalTokens(run.usage);
  return {
    pass_rate: Math.round((passed / verdicts.length) * 10_000) / 10_000,
    passed,
    failed: verdicts.length - passed,
    total: verdicts.length,
    time_seconds: Math.round(run.durationMs) / 1000,
    ...(tokens === null ? {} : { tokens }),
    tool_calls: Object.values(run.toolCalls).reduce((sum, count) => sum + count, 0),
    errors: run.toolErrors,
  };
}

/** Over all scored runs pooled, as skill-creator does; empty where there is none. */
function statsOf(runs: readonly BenchmarkFileRun[]): Partial<ConfigurationStats> {
  const of = (key: "pass_rate" | "time_seconds" | "tokens") => {
    const described = describeValues(runs.flatMap(({ result }) => result[key] ?? []));
    if (described === null) return {};
    const { mean, stddev, min, max } = described;
    return { [key]: { mean: round(mean), stddev: round(stddev), min: round(min), max: round(max) } };
  };
  return { ...of("pass_rate"), ...of("time_seconds"), ...of("tokens") };
}

function deltaOf(primary: Partial<ConfigurationStats>, baseline: Partial<ConfigurationStats>): DeltaTexts {
  const of = (key: keyof ConfigurationStats, decimals: number) => {
    const here = primary[key]?.mean;
    const there = baseline[key]?.mean;
    return here === undefined || there === undefined
      ? {}
      : { [key]: signedLikePython(here - there, decimals) };
  };
  return { ...of("pass_rate", 2), ...of("time_seconds", 1), ...of("tokens", 0) };
}

function metadataOf(
  { iteration, trials, runs: finished, gradings }: Evaluated,
  {
    runs,
    statistics,
    words,
  }: {
    runs: readonly BenchmarkFileRun[];
    statistics: Pick<BenchmarkSummary, "arms">;
    words: FileWords;
  },
): BenchmarkMetadata {
  const answered = [...finished.values()].flatMap(({ run }) => run.model ?? []);
  const judged = [...gradings.values()].flatMap((grading) => grading.judgeModel ?? []);
  const planned = trials.filter((trial) => words.evalIds.has(trial.caseId));
  return {
    skill_name: iteration.suite,
    skill_path: iteration.skill?.path ?? "",
    executor_model: names(answered) || iteration.model || "the client's default",
    analyzer_model: names(judged) || "none: every check was decided by code",
    timestamp: iteration.createdAt,
    evals_run: [...new Set(runs.map((run) => run.eval_id))].sort((a, b) => a - b),
    runs_per_configuration: Math.max(0, ...planned.map((trial) => trial.repetition)),
    harness: iteration.harness,
    client: [iteration.client?.name, iteration.client?.version].filter(Boolean).join(" "),
    iteration: iteration.number,
    left_out: Object.fromEntries(statistics.arms.map((arm) => [arm.arm, arm.trials - arm.scored])),
  };
}

function names(found: readonly string[]): string {
  return [...new Set(found)].sort().join(", ");
}

function round(value: number): number {
  return roundLikePython(value, 4);
}
