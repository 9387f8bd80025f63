import type { TrendArm, TrendLine } from "../../domain/trend.ts";
import { liftIn, type Metric, metricOf, testedArm } from "../../report/trend/series.ts";

/** What one iteration came to in one metric. */
export interface TrendPoint {
  readonly line: TrendLine;
  /** The arm under test; null: the iteration has none. */
  readonly arm: TrendArm | null;
  /** Null: unknown. */
  readonly value: number | null;
  /** Of the metrics that have one; 95 % unless `alpha` says otherwise. */
  readonly interval: { readonly low: number; readonly high: number; readonly alpha?: number } | null;
  /** Why the value is not to be compared with those of whole iterations; null: nothing is missing. */
  readonly part: TrendPart | null;
  /** Since the iteration before. After a change of the evals, the numbers answer other questions. */
  readonly changed: readonly ("skill" | "evals")[];
}

type TrendPart =
  /** Only some cases were asked for: `--case`, `--filter`, `--shard`, `--last-failed`. */
  | { readonly kind: "some-cases" }
  /** Trials of the arm under test ended without a result. */
  | { readonly kind: "trials-missing"; readonly scored: number; readonly trials: number }
  /** Checks of it could not be decided. */
  | { readonly kind: "checks-unscored"; readonly unscored: number };

export function trendPoints(lines: readonly TrendLine[], metric: Metric): readonly TrendPoint[] {
  return lines.map((line, at) => ({
    line,
    arm: testedArm(line),
    value: metricOf(line, metric),
    interval: intervalOf(line, metric),
    part: partOf(line),
    changed: changedSince(lines[at - 1] ?? null, line),
  }));
}

function partOf(line: TrendLine): TrendPart | null {
  if (line.partial === true) return { kind: "some-cases" };
  const { scored = 0, trials = 0, unscored = 0 } = testedArm(line) ?? {};
  if (scored < trials) return { kind: "trials-missing", scored, trials };
  return unscored > 0 ? { kind: "checks-unscored", unscored } : null;
}

function intervalOf(line: TrendLine, metric: Metric): TrendPoint["interval"] {
  if (metric === "pass_rate") return testedArm(line)?.interval ?? null;
  if (metric !== "lift" && metric !== "change") return null;
  const { low = null, high = null, alpha } = liftIn(line, metric) ?? {};
  return low === null || high === null ? null : { low, high, ...(alpha !== undefined && { alpha }) };
}

function changedSince(previous: TrendLine | null, line: TrendLine): TrendPoint["changed"] {
  if (previous === null) return [];
  return [
    ...(previous.skill === line.skill ? [] : (["skill"] as const)),
    ...(previous.evals === line.evals ? [] : (["evals"] as const)),
  ];
}
