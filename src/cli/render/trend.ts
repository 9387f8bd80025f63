import type { TrendLine } from "../../domain/trend.ts";
import { percent, thousands } from "../../report/text.ts";
import type { AuditedCheck } from "../../report/trend/audit.ts";
import { type Metric, metricOf, sparkline, testedArm } from "../../report/trend/series.ts";
import { signedLikePython } from "../../stats/python-format.ts";
import { rateOf } from "../../stats/rate.ts";
import { plural } from "../../lib/plural.ts";
import { table } from "./table.ts";

/** A line of bars, then a row per iteration. Where the evals changed, numbers before and after answer other questions. */
export function trendText(lines: readonly TrendLine[], metric: Metric): string {
  const [first] = lines;
  if (first === undefined) return "no finished iteration\n";
  const values = lines.map((line) => metricOf(line, metric));
  const rows = lines.map((line, at) =>
    row(line, { previous: lines[at - 1] ?? null, value: values[at] ?? null, metric }),
  );
  const head = [
    "iteration",
    "date",
    "harness",
    "model",
    metric,
    "95 % interval",
    "lift",
    "s",
    "tokens",
    "verdict",
    "changed",
  ];
  return `${first.suite}  ${metric}  ${sparkline(values, metric)}\n\n${table(head, rows)}`;
}

function row(
  line: TrendLine,
  { previous, value, metric }: { previous: TrendLine | null; value: number | null; metric: Metric },
): (string | number)[] {
  const arm = testedArm(line);
  const changed =
    previous === null
      ? []
      : [
          ...(previous.skill === line.skill ? [] : ["skill"]),
          ...(previous.evals === line.evals ? [] : ["EVALS"]),
        ];
  return [
    line.iteration,
    line.at.slice(0, 16).replace("T", " "),
    line.harness,
    line.model ?? "default",
    valueText(value, metric),
    intervalText(line, metric),
    line.lift?.lift === null || line.lift === null
      ? "-"
      : `${signedLikePython(line.lift.lift, 2)} ${line.lift.verdict}`,
    arm?.seconds === null || arm === null ? "-" : arm.seconds.toFixed(1),
    arm?.tokens === null || arm === null ? "-" : thousands(arm.tokens),
    line.verdict,
    changed.join(", "),
  ];
}

/** Of the metrics that have one. */
function intervalText(line: TrendLine, metric: Metric): string {
  if (metric === "lift") {
    const { low = null, high = null } = line.lift ?? {};
    return low === null || high === null
      ? "-"
      : `${signedLikePython(low, 2)} to ${signedLikePython(high, 2)}`;
  }
  const arm = testedArm(line);
  const { low, high } = rateOf(arm?.passed ?? 0, arm?.total ?? 0);
  return metric !== "pass_rate" || low === null || high === null
    ? "-"
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
      return signedLikePython(value, 2);
    case "seconds":
      return value.toFixed(1);
    case "tokens":
      return thousands(value);
    case "cost":
      return `$${value.toFixed(4)}`;
  }
}

/** What to look at first; then how much was looked at. */
export function auditText(
  checks: readonly AuditedCheck[],
  flagged: readonly AuditedCheck[],
  iterations: number,
): string {
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
