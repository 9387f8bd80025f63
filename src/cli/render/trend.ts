import { percent, plural, printable, signed, thousands } from "../../operations/text.ts";
import type { AuditedCheck, Audit, Metric, Trend, TrendPoint } from "../../operations/trend.ts";
import { sparkline } from "../../operations/trend.ts";
import { table } from "./table.ts";

const HEAD = ["95 % interval", "lift", "s", "tokens", "verdict", "changed"];

/** A line of bars, then a row per iteration. Where the evals changed, numbers before and after answer other questions. */
export function trendText({ suite, metric, points }: Trend): string {
  const head = ["iteration", "date", "harness", "model", metric, ...HEAD];
  const bars = sparkline(
    points.map(({ value }) => value),
    metric,
  );
  return `${printable(suite)}  ${metric}  ${bars}\n\n${table(
    head,
    points.map((point) => row(point, metric)),
  )}`;
}

function row({ line, arm, value, interval, changed }: TrendPoint, metric: Metric): (string | number)[] {
  return [
    line.iteration,
    line.at.slice(0, 16).replace("T", " "),
    line.harness,
    line.model ?? "default",
    valueText(value, metric),
    intervalText(interval, metric),
    line.lift === null || line.lift.lift === null ? "-" : `${signed(line.lift.lift, 2)} ${line.lift.verdict}`,
    arm === null || arm.seconds === null ? "-" : arm.seconds.toFixed(1),
    arm === null || arm.tokens === null ? "-" : thousands(arm.tokens),
    line.verdict,
    changed.map((what) => (what === "evals" ? "EVALS" : what)).join(", "),
  ];
}

function intervalText(interval: TrendPoint["interval"], metric: Metric): string {
  if (interval === null) return "-";
  const { low, high } = interval;
  return metric === "lift"
    ? `${signed(low, 2)} to ${signed(high, 2)}`
    : `${Math.round(low * 100)} to ${percent(high)}`;
}

function valueText(value: number | null, metric: Metric): string {
  if (value === null) return "-";
  switch (metric) {
    case "pass_rate":
    case "mean_score":
    case "stability":
      return percent(value);
    case "lift":
      return signed(value, 2);
    case "seconds":
      return value.toFixed(1);
    case "tokens":
      return thousands(value);
    case "cost":
      return `$${value.toFixed(4)}`;
  }
}

/** What to look at first; then how much was looked at. */
export function auditText({ iterations, checks, flagged }: Audit): string {
  const share = ({ passed, total }: AuditedCheck["withSkill"]) =>
    total === 0 ? "-" : `${passed} of ${total}`;
  const rows = flagged.map((check) => [
    check.verdict,
    check.caseId,
    check.layer,
    check.text.replaceAll(/\s+/g, " ").slice(0, 80),
    share(check.withSkill),
    share(check.withoutSkill),
  ]);
  const count = (verdict: AuditedCheck["verdict"]) =>
    checks.filter((check) => check.verdict === verdict).length;
  const unclear = [
    ...(count("no baseline") === 0
      ? []
      : [
          `${plural(count("no baseline"), "check")} without a baseline to compare with (assay bench makes one)`,
        ]),
    ...(count("too few runs") === 0
      ? []
      : [`${plural(count("too few runs"), "check")} with too few runs to tell`]),
  ];
  const head = ["finding", "case", "layer", "check", "with skill", "without"];
  return [
    rows.length === 0 ? "" : `${table(head, rows)}\n`,
    `${plural(checks.length, "check")} over ${plural(iterations, "iteration")}: ${flagged.length === 0 ? "none" : flagged.length} to look at\n`,
    ...unclear.map((line) => `${line}\n`),
  ].join("");
}
