import { speaksInTrend } from "../../domain/iteration.ts";
import type { TrendArm, TrendLift, TrendLine } from "../../domain/trend.ts";

/** `lift` is against no skill, `change` against another version of it. */
export const METRICS = [
  "pass_rate",
  "mean_score",
  "stability",
  "lift",
  "change",
  "seconds",
  "tokens",
  "cost",
] as const;
export type Metric = (typeof METRICS)[number];

export interface TrendFilter {
  readonly harness: string | null;
  readonly model: string | null;
  /** Only the newest; null: all. */
  readonly last: number | null;
  /** Also those of which only some cases were run. */
  readonly partial?: boolean;
}

/**
 * The lines that a person asked for, oldest first. Only those that speak for the installed skill; an `inline` arm is no
 * state of the skill and belongs to another line.
 */
export function selectLines(
  lines: readonly TrendLine[],
  { harness, model, last, partial = false }: TrendFilter,
): TrendLine[] {
  const wanted = lines.filter(
    (line) =>
      speaksInTrend(partial ? { purpose: line.purpose } : line) &&
      Object.entries(line.arms).some(([arm, { scored }]) => arm !== "inline" && scored > 0) &&
      (harness === null || line.harness === harness) &&
      (model === null || (line.model ?? "default") === model),
  );
  return last === null ? wanted : wanted.slice(-last);
}

/** What was found against no skill, or against another version: two questions, and never one line. */
export function liftIn(line: TrendLine, metric: "lift" | "change"): TrendLift | null {
  const isChange = line.arms["new_skill"] !== undefined;
  return isChange === (metric === "change") ? line.lift : null;
}

/** Agents and models among the lines; more than one must not be drawn as one line. */
export function mixtureOf(lines: readonly TrendLine[]): string[] {
  return [...new Set(lines.map((line) => `${line.harness} with ${line.model ?? "its default model"}`))];
}

/** The arm under test: with the skill where there is one. */
export function testedArm({ arms }: TrendLine): TrendArm | null {
  return arms["with_skill"] ?? arms["new_skill"] ?? arms["inline"] ?? arms["without_skill"] ?? null;
}

export function metricOf(line: TrendLine, metric: Metric): number | null {
  const arm = testedArm(line);
  switch (metric) {
    case "pass_rate":
      return arm === null || arm.total === 0 ? null : arm.passed / arm.total;
    case "mean_score":
      return arm?.meanScore ?? null;
    case "stability":
      return arm?.stability ?? null;
    case "lift":
    case "change":
      return liftIn(line, metric)?.lift ?? null;
    case "seconds":
      return arm?.seconds ?? null;
    case "tokens":
      return arm?.tokens ?? null;
    case "cost":
      return arm?.costUsd ?? null;
  }
}

const BARS = "▁▂▃▄▅▆▇█";

/** One bar per value, a dot where it is of a part only, a gap where it is unknown. Shares are drawn from 0 to 1, everything else from its least to its most. */
export function sparkline(values: readonly (number | "part" | null)[], metric: Metric): string {
  const known = values.filter((value) => typeof value === "number");
  if (values.every((value) => value === null)) return "";
  const isShare = metric === "pass_rate" || metric === "mean_score" || metric === "stability";
  const low = isShare ? 0 : Math.min(...known);
  const high = isShare ? 1 : Math.max(...known);
  return values
    .map((value) => (typeof value === "number" ? bar(value, low, high) : value === null ? " " : "·"))
    .join("");
}

function bar(value: number, low: number, high: number): string {
  const share = high === low ? 1 : (value - low) / (high - low);
  return BARS[Math.max(0, Math.min(BARS.length - 1, Math.floor(share * BARS.length)))] ?? "";
}
