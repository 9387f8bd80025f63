import type { CardBenchmark, CardEvidence, CardTriggers } from "../../domain/card.ts";
import type { BenchmarkSummary, Bounds } from "../../domain/benchmark.ts";
import { countsAs } from "../../domain/run.ts";
import type { Rate, Summary } from "../../domain/summary.ts";
import type { TriggerSummary } from "../../domain/triggers.ts";
import type { Evaluated } from "../evaluated.ts";
import { trendLine } from "../trend/trend-line.ts";

/** What a card says of an iteration. Pure: the same journal gives the same evidence. */
export function evidenceOf(summary: Summary, evaluated: Evaluated): CardEvidence {
  const { iteration, at, harness, model, client, evals } = trendLine(summary, evaluated);
  const { purpose, judge, versions } = evaluated.iteration;
  const withSkill = summary.cases.filter(({ variant }) => isTested(variant)).flatMap(({ trials }) => trials);
  const arm = summary.variants.find(({ variant, over }) => isTested(variant) && over === "task");
  const { missing } = summary;
  return {
    iteration,
    purpose: purpose === "bench" ? "bench" : "run",
    at,
    agent: harness,
    client,
    model,
    judge: judge === null ? null : `${judge.provider} ${judge.model}`,
    versions,
    evals,
    cases: new Set(summary.cases.map(({ caseId }) => caseId)).size,
    runs: withSkill.filter(({ outcome }) => countsAs(outcome) !== "left-out").length,
    missing: {
      runs: missing.notRun + Object.values(missing.leftOut).reduce((sum, runs) => sum + runs, 0),
      checks: missing.unscoredChecks,
    },
    checks: arm === undefined ? NO_RATE : rounded(arm.checks),
    benchmark: benchmarkOn(summary.benchmark),
    triggers: triggersOn(summary.triggers),
  };
}

/** A run without any of the skill says nothing of it. */
export function isTested(variant: string): boolean {
  return variant === "with_skill" || variant === "new_skill";
}

const NO_RATE: Rate = { passed: 0, total: 0, rate: null, low: null, high: null };

/** One arm against itself has no answer. */
function benchmarkOn(benchmark: BenchmarkSummary | null): CardBenchmark | null {
  const comparison = benchmark?.comparisons[0];
  if (comparison === undefined || benchmark?.noise !== null) return null;
  const { verdict, lift, interval, alpha, cases, runs, otherCases } = comparison.passRate;
  return {
    baseline: comparison.baseline,
    verdict,
    lift: digits(lift),
    interval: bounds(interval),
    alpha: digits(alpha),
    cases,
    runs: { treatment: runs.treatment, baseline: runs.baseline },
    otherCases: {
      verdict: otherCases.verdict,
      interval: bounds(otherCases.interval),
      improvesAtLeast: digits(otherCases.improvesAtLeast),
      worsensAtLeast: digits(otherCases.worsensAtLeast),
    },
  };
}

function triggersOn(triggers: TriggerSummary | null): CardTriggers | null {
  if (triggers === null) return null;
  return {
    valid: triggers.validity.status === "valid",
    queries: triggers.queries.length,
    unsettled: triggers.queries.filter(({ status }) => status === "unsettled").length,
    precision: rounded(triggers.precision),
    recall: rounded(triggers.recall),
  };
}

function rounded({ passed, total, rate, low, high }: Rate): Rate {
  return { passed: digits(passed), total, rate: digits(rate), low: digits(low), high: digits(high) };
}

function bounds(interval: Bounds | null): Bounds | null {
  return interval === null ? null : { low: digits(interval.low), high: digits(interval.high) };
}

/** The last digits of a sum depend on the machine. */
function digits<T extends number | null>(value: T): T {
  return (value === null ? null : Number(value.toFixed(4)) + 0) as T;
}
