import type { BenchmarkSummary } from "../domain/benchmark.ts";
import type { Case } from "../domain/suite.ts";
import type { CaseSummary, Gate, Missing, SummaryVerdict } from "../domain/summary.ts";
import type { TriggerSummary } from "../domain/triggers.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Evaluated } from "./evaluated.ts";
import { leftOutTotal } from "./missing.ts";

export interface GateOptions {
  /** `--min-pass-rate`: replaces every other demand on the checks of a trial. */
  readonly minPassRate: number | null;
  /** `--allow-missing`: how many left-out trials and unscored checks are borne. */
  readonly allowMissing: number;
  /** `--trigger-threshold`; absent: the one that the iteration was run with. */
  readonly triggerThreshold?: number | null;
}

/** Further gates that an iteration is held to, beyond its own checks. `root` is the iteration's folder. */
export type GateSource = (evaluated: Evaluated, root: string) => Promise<readonly Gate[]>;

/** What the exit code says. Baselines never gate; what could not be counted makes the result unfinished. */
export function decide(
  evidence: {
    readonly cases: readonly CaseSummary[];
    readonly missing: Missing;
    readonly triggers: TriggerSummary | null;
    readonly benchmark: BenchmarkSummary | null;
    readonly declared: readonly Case[];
    /** Gates that come from outside of the iteration. */
    readonly further: readonly Gate[];
  },
  options: GateOptions,
): { verdict: SummaryVerdict; gates: readonly Gate[] } {
  const { benchmark, declared } = evidence;
  const gating = evidence.cases.filter(
    (one) =>
      one.variant !== "without_skill" &&
      one.variant !== "old_skill" &&
      (benchmark === null || options.minPassRate !== null || declaresGate(one, declared)),
  );
  const gates = [
    ...gating.filter((one) => one.kind === "task").flatMap((one) => caseGate(one, declared) ?? []),
    ...queryGates(evidence.triggers),
    ...benchmarkGates(benchmark),
    ...evidence.further,
  ];
  const uncounted = leftOutTotal(evidence.missing) + evidence.missing.unscoredChecks;
  const isInvalid =
    evidence.triggers?.validity.status === "invalid" || isUndecided(benchmark, evidence.cases);
  if (isInvalid || uncounted > options.allowMissing) return { verdict: "unfinished", gates };
  if (gates.some((gate) => !gate.met)) return { verdict: "failed", gates };
  return { verdict: gates.length === 0 ? "ungraded" : "passed", gates };
}

/** A benchmark asks what the skill changes, so that only gates which somebody declared hold single cases. */
function declaresGate({ caseId }: CaseSummary, declared: readonly Case[]): boolean {
  const settings = declared.find((one) => one.id === caseId)?.settings;
  return (settings?.gradeThresholds ?? settings?.variance?.minStability ?? null) !== null;
}

/** Arms were to be compared and could not be, though something was graded. */
function isUndecided(benchmark: BenchmarkSummary | null, cases: readonly CaseSummary[]): boolean {
  return benchmark?.verdict === "invalid" && cases.some((one) => one.checks.total > 0);
}

/** Neither an arm compared with itself nor the text in the prompt can make a skill worse. */
function benchmarkGates(benchmark: BenchmarkSummary | null): Gate[] {
  const comparison = benchmark?.comparisons[0];
  if (comparison === undefined || !["with_skill", "new_skill"].includes(comparison.treatment)) return [];
  const { verdict, explanation } = comparison.passRate;
  if (verdict === "invalid") return [];
  return [{ name: BENCHMARK_GATE, caseId: null, met: verdict !== "worse", detail: explanation }];
}

export const BENCHMARK_GATE = "benchmark";

/** A query is held to its rate over all valid runs, not to each run. */
function queryGates(triggers: TriggerSummary | null): Gate[] {
  const scored = triggers?.queries.filter(({ status }) => status !== "unscored") ?? [];
  return scored.map(({ caseId, status, reason }) => ({
    name: caseId,
    caseId,
    met: status === "passed",
    detail: reason,
  }));
}

function caseGate(one: CaseSummary, declared: readonly Case[]): Gate | null {
  if (one.stability === null) return null;
  const asked =
    declared.find((candidate) => candidate.id === one.caseId)?.settings.variance?.minStability ?? 1;
  const scored = one.trials.filter((trial) => trial.meetsGate !== null);
  const met = scored.filter((trial) => trial.meetsGate === true).length;
  return {
    name: one.caseId,
    caseId: one.caseId,
    met: one.stability >= asked,
    detail: `${met} of ${scored.length} runs meet their checks${asked === 1 ? "" : `, ${asked} asked for`}`,
  };
}

/**
 * Does one scored trial do what is asked of it? By default every check must pass. A case's `grade_thresholds` replace
 * that for the judged checks, `--min-pass-rate` for all. Null when nothing was scored, so nothing can be said.
 */
export function meetsGate(one: Case, verdicts: readonly Verdict[], options: GateOptions): boolean | null {
  const scored = verdicts.filter((verdict) => verdict.status !== "unscored");
  if (scored.length === 0) return null;
  if (options.minPassRate !== null) return passRate(scored) >= options.minPassRate;
  const thresholds = one.settings.gradeThresholds;
  if (thresholds === null) return scored.every(isPassed);
  const judged = scored.filter((verdict) => verdict.layer === "L3");
  const decided = scored.filter((verdict) => verdict.layer !== "L3");
  if (!decided.every(isPassed)) return false;
  if (judged.length === 0) return true;
  const { minPassRate, minMeanScore } = thresholds;
  const mean = meanScore(judged);
  const rateMet = minPassRate === null || passRate(judged) >= minPassRate;
  return rateMet && (minMeanScore === null || (mean !== null && mean >= minMeanScore));
}

export function meanScore(verdicts: readonly Verdict[]): number | null {
  const scores = verdicts.map((verdict) => verdict.score).filter((score) => score !== null);
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function passRate(scored: readonly Verdict[]): number {
  return scored.filter(isPassed).length / scored.length;
}

function isPassed(verdict: Verdict): boolean {
  return verdict.status === "passed";
}
