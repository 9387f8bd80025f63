import { skillNameIn } from "../../domain/iteration.ts";
import type { BenchmarkSummary } from "../../domain/benchmark.ts";
import { countsAs, type Run } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { Variant } from "../../domain/trial.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { groupBy } from "../../lib/group-by.ts";
import { describeValues } from "../../stats/descriptive.ts";
import { roundLikePython, signedLikePython } from "../../stats/python-format.ts";
import type { Evaluated } from "../evaluated.ts";
import { outcomeText } from "../text.ts";
import { type CountedRun, factsReader, isCounted } from "../trial-facts.ts";

/**
 * benchmark.json as skill-creator's tools read it; what is ours lies in `statistics` and in further keys of `metadata`.
 * Every key that they look for is there. Null is unknown: the viewer shows a dash for it, and 0 would be a measurement.
 */
export interface BenchmarkFile {
  readonly metadata: BenchmarkMetadata;
  readonly runs: readonly BenchmarkFileRun[];
  /** The arm under test first: the viewer takes the first two keys for its columns. */
  readonly run_summary: Readonly<Record<string, ConfigurationStats | DeltaTexts>>;
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
  readonly time_seconds: number | null;
  readonly tokens: number | null;
  readonly tool_calls: number;
  readonly errors: number;
}

interface Stats {
  readonly mean: number;
  readonly stddev: number;
  readonly min: number;
  readonly max: number;
}

type Figure = "pass_rate" | "time_seconds" | "tokens";

type ConfigurationStats = Readonly<Record<Figure, Stats | null>>;

type DeltaTexts = Readonly<Record<Figure, string | null>>;

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
  const byVariant = variantsOf(evaluated).map(
    (variant) => [variant, fileRuns(evaluated, variant, words)] as const,
  );
  const runs = byVariant.flatMap(([, mine]) => mine);
  const configurations = byVariant.map(([variant, mine]) => [variant, statsOf(mine)] as const);
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
  const read = factsReader(evaluated);
  const byCase = groupBy(
    evaluated.trials.filter((trial) => trial.variant === variant),
    ({ caseId }) => caseId,
  );
  const runs: BenchmarkFileRun[] = [];
  for (const one of evaluated.cases) {
    if (one.kind !== "task") continue;
    const trials = (byCase.get(one.id) ?? []).sort((a, b) => a.repetition - b.repetition);
    for (const trial of trials) {
      const facts = read(trial);
      if (isCounted(facts) && facts.verdicts.length > 0) runs.push(fileRun(one, facts, words));
    }
  }
  return runs;
}

function fileRun(one: Case, counted: CountedRun, words: FileWords): BenchmarkFileRun {
  return {
    eval_id: words.evalIds.get(one.id) ?? 0,
    eval_name: one.name ?? one.id,
    configuration: counted.trial.variant,
    run_number: counted.trial.repetition,
    result: runResult(counted),
    expectations: counted.verdicts.map((verdict) => ({
      text: verdict.text,
      passed: verdict.status === "passed",
      evidence: words.evidence(verdict),
    })),
    notes: [...endNotes(counted.run), ...words.notes(counted.run)],
  };
}

/** What broke off counts as failed, which nothing else in a run's figures says. */
function endNotes({ outcome }: Run): readonly string[] {
  return countsAs(outcome) === "failed" ? [outcomeText(outcome)] : [];
}

/** The same figures as the run's grading.json and timing.json have. */
function runResult({ run, verdicts, passed, failed, tokens }: CountedRun): RunResult {
  return {
    pass_rate: Math.round((passed / verdicts.length) * 10_000) / 10_000,
    passed,
    failed,
    total: verdicts.length,
    time_seconds: run.durationMs === null ? null : Math.round(run.durationMs) / 1000,
    tokens,
    tool_calls: Object.values(run.toolCalls).reduce((sum, count) => sum + count, 0),
    errors: run.toolErrors,
  };
}

/** Over all scored runs pooled, as skill-creator does. */
function statsOf(runs: readonly BenchmarkFileRun[]): ConfigurationStats {
  const of = (figure: Figure): Stats | null => {
    const described = describeValues(runs.flatMap(({ result }) => result[figure] ?? []));
    if (described === null) return null;
    const { mean, stddev, min, max } = described;
    return { mean: round(mean), stddev: round(stddev), min: round(min), max: round(max) };
  };
  return { pass_rate: of("pass_rate"), time_seconds: of("time_seconds"), tokens: of("tokens") };
}

function deltaOf(primary: ConfigurationStats, baseline: ConfigurationStats): DeltaTexts {
  const of = (figure: Figure, decimals: number): string | null => {
    const [here, there] = [primary[figure], baseline[figure]];
    return here === null || there === null ? null : signedLikePython(here.mean - there.mean, decimals);
  };
  return { pass_rate: of("pass_rate", 2), time_seconds: of("time_seconds", 1), tokens: of("tokens", 0) };
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
  const answered = new Set<string | null>();
  for (const { run } of finished.values()) answered.add(run.model);
  const judged = new Set<string | null>();
  for (const { judgeModel } of gradings.values()) judged.add(judgeModel);
  let most = 0;
  for (const { caseId, repetition } of trials)
    if (words.evalIds.has(caseId)) most = Math.max(most, repetition);
  return {
    skill_name: skillNameIn(iteration),
    skill_path: iteration.skill?.path ?? "",
    executor_model: names(answered) || iteration.model || "the client's default",
    analyzer_model: names(judged) || "none: every check was decided by code",
    timestamp: iteration.createdAt,
    evals_run: [...new Set(runs.map((run) => run.eval_id))].sort((a, b) => a - b),
    runs_per_configuration: most,
    harness: iteration.harness,
    client: [iteration.client?.name, iteration.client?.version].filter(Boolean).join(" "),
    iteration: iteration.number,
    left_out: Object.fromEntries(statistics.arms.map((arm) => [arm.arm, arm.trials - arm.scored])),
  };
}

function names(found: ReadonlySet<string | null>): string {
  return [...found]
    .filter((name) => name !== null)
    .sort()
    .join(", ");
}

function round(value: number): number {
  return roundLikePython(value, 4);
}
