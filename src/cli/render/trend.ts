import {
  confidence,
  percent,
  plural,
  printable,
  points as inPoints,
  thousands,
} from "../../operations/text.ts";
import type { AuditedCheck, Audit, Metric, Trend, TrendPoint } from "../../operations/trend.ts";
import { liftIn, sparkline } from "../../operations/trend.ts";
import { table } from "./table.ts";

const HEAD = ["s", "tokens", "verdict", "changed"];

/** A line of bars, then a row per iteration. Where the evals changed, numbers before and after answer other questions. */
export function trendText({ suite, metric, points }: Trend, columns: number | null): string {
  const lifts = (["lift", "change"] as const).filter(
    (which) => which === "lift" || points.some(({ line }) => liftIn(line, which) !== null),
  );
  const head = [
    "iteration",
    "date",
    "agent",
    "model",
    metric,
    "95 % interval",
    ...lifts.map((which) => TITLES[which]),
    ...HEAD,
  ];
  const bars = sparkline(
    points.map(({ value, part }) => (part === null || value === null ? value : "part")),
    metric,
  );
  const legend = points.some(({ part, value }) => part !== null && value !== null) ? `${LEGEND}\n` : "";
  return `${printable(suite)}  ${metric}  ${bars}\n${legend}\n${table(
    head,
    points.map((point) => row(point, metric, lifts)),
    columns,
  )}`;
}

const LEGEND = "·  not a whole run, so no bar: only some cases, or not every result";

const TITLES = { lift: "points over no skill", change: "points over old version" } as const;

function row(
  { line, arm, value, interval, part, changed }: TrendPoint,
  metric: Metric,
  lifts: readonly ("lift" | "change")[],
): (string | number)[] {
  return [
    line.iteration,
    line.at.slice(0, 16).replace("T", " "),
    line.harness,
    line.model ?? "default",
    valueText(value, metric),
    intervalText(interval, metric),
    ...lifts.map((which) => liftText(liftIn(line, which))),
    arm === null || arm.seconds === null ? "-" : arm.seconds.toFixed(1),
    arm === null || arm.tokens === null ? "-" : thousands(arm.tokens),
    [verdictText(line), ...partText(part)].join(", "),
    changed.map((what) => (what === "evals" ? "EVALS" : what)).join(", "),
  ];
}

/** `better, +63 (+35 to +80)`; `better, +63 (+30 to +85, 99 %)` where the interval is not of 95 %. */
function liftText(found: ReturnType<typeof liftIn>): string {
  if (found === null || found.lift === null) return "-";
  const { verdict, lift, low, high, alpha } = found;
  const level = alpha === undefined ? "" : `, ${confidence(alpha)}`;
  const range = low === null || high === null ? "" : ` (${inPoints(low)} to ${inPoints(high)}${level})`;
  return `${verdict}, ${inPoints(lift)}${range}`;
}

function verdictText({ verdict, unsettled, arms }: TrendPoint["line"]): string {
  if (verdict === "unfinished") return "incomplete";
  // One arm against itself is graded and held to nothing.
  if (verdict === "ungraded" && Object.values(arms).some(({ total }) => total > 0)) return "no gate";
  if (verdict !== "passed" || unsettled === undefined) return verdict;
  return unsettled.queries === unsettled.of
    ? "undecided"
    : `passed, ${unsettled.queries} of ${unsettled.of} queries unsettled`;
}

function partText(part: TrendPoint["part"]): readonly string[] {
  switch (part?.kind) {
    case undefined:
      return [];
    case "some-cases":
      return ["only some cases"];
    case "trials-missing":
      return [`only ${part.scored} of ${plural(part.trials, "trial")}`];
    case "checks-unscored":
      return [`${plural(part.unscored, "check")} unscored`];
  }
}

function intervalText(interval: TrendPoint["interval"], metric: Metric): string {
  if (interval === null) return "-";
  const { low, high, alpha } = interval;
  const level = alpha === undefined ? "" : ` (${confidence(alpha)})`;
  return metric === "lift" || metric === "change"
    ? `${inPoints(low)} to ${inPoints(high)}${level}`
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
    case "change":
      return inPoints(value);
    case "seconds":
      return value.toFixed(1);
    case "tokens":
      return thousands(value);
    case "cost":
      return `$${value.toFixed(4)}`;
  }
}

/** What to look at first; then how much was looked at. */
export function auditText({ iterations, checks, flagged }: Audit, columns: number | null): string {
  const share = ({ passed, total }: AuditedCheck["withSkill"]) =>
    total === 0 ? "-" : `${passed} of ${total}`;
  const rows = flagged.map((check) => [
    findingText(check),
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
    rows.length === 0 ? "" : `${table(head, rows, columns)}\n`,
    `${plural(checks.length, "check")} over ${plural(iterations, "iteration")}: ${flagged.length === 0 ? "none" : flagged.length} to look at\n`,
    ...flagged.flatMap(({ caseId, weak }) =>
      weak.map((reason) => `weak in ${caseId}: ${reason.replaceAll(/\s+/g, " ").slice(0, 200)}\n`),
    ),
    ...unclear.map((line) => `${line}\n`),
  ].join("");
}

const HARMLESS: ReadonlySet<AuditedCheck["verdict"]> = new Set(["keep", "no baseline", "too few runs"]);

function findingText({ verdict, weak }: AuditedCheck): string {
  if (weak.length === 0) return verdict;
  return HARMLESS.has(verdict) ? "weak" : `${verdict}, weak`;
}
