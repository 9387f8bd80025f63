import type { TrendArm, TrendLine } from "../../domain/trend.ts";
import { type Metric, metricOf, testedArm } from "../../report/trend/series.ts";
import { rateOf } from "../../stats/rate.ts";

/** What one iteration came to in one metric. */
export interface TrendPoint {
  readonly line: TrendLine;
  /** The arm under test; null: the iteration has none. */
  readonly arm: TrendArm | null;
  /** Null: unknown. */
  readonly value: number | null;
  /** 95 %, of the metrics that have one. */
  readonly interval: { readonly low: number; readonly high: number } | null;
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
  if (metric !== "lift" && metric !== "pass_rate") return null;
  const arm = testedArm(line);
  const { low, high } =
    metric === "lift" ? (line.lift ?? { low: null, high: null }) : rateOf(arm?.passed ?? 0, arm?.total ?? 0);
  return low === null || high === null ? null : { low, high };
}

function changedSince(previous: TrendLine | null, line: TrendLine): TrendPoint["changed"] {
  if (previous === null) return [];
  return [
    ...(previous.skill === line.skill ? [] : (["skill"] as const)),
    ...(previous.evals === line.evals ? [] : (["evals"] as const)),
  ];
}
