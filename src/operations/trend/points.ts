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
  /** Since the iteration before. After a change of the evals, the numbers answer other questions. */
  readonly changed: readonly ("skill" | "evals")[];
}

export function trendPoints(lines: readonly TrendLine[], metric: Metric): readonly TrendPoint[] {
  return lines.map((line, at) => ({
    line,
    arm: testedArm(line),
    value: metricOf(line, metric),
    interval: intervalOf(line, metric),
    changed: changedSince(lines[at - 1] ?? null, line),
  }));
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
