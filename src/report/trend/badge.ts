import type { TrendArm, TrendLift, TrendLine } from "../../domain/trend.ts";
import { points } from "../../stats/words.ts";
import { testedArm } from "./series.ts";

/** What shields.io's endpoint badge reads. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: "brightgreen" | "yellow" | "red" | "lightgrey";
}

/**
 * Of a benchmark both answers, `better on 5 cases, +63 points · helps in at least 61% of such cases`; of a run
 * `8/8 · judge 92% · 80% stable`: checks decided by code, criteria decided by a judge, runs that meet their gate. What was
 * not decided has no badge, nor has what was measured on another version than the one with the digest `skillNow`.
 */
export function badgeOf(line: TrendLine | null, skillNow: string | null = null): Badge {
  const arm = line === null ? null : testedArm(line);
  if (line === null || arm === null || arm.total === 0) return badge("no data", "lightgrey");
  if (skillNow !== null && line.skill !== null && skillNow !== line.skill)
    return badge("measured on another version", "lightgrey");
  const unscored = arm.unscored ?? 0;
  if (unscored > 0) return badge(`incomplete: ${unscored} unscored`, "lightgrey");
  if (line.verdict === "unfinished") return badge("incomplete", "lightgrey");
  if (line.unsettled !== undefined && line.verdict !== "failed")
    return badge(
      `${line.unsettled.queries} of ${line.unsettled.of} queries unsettled`,
      line.unsettled.queries === line.unsettled.of ? "lightgrey" : "yellow",
    );
  return line.lift === null ? runBadge(line, arm) : benchmarkBadge(line.lift, line.verdict);
}

function benchmarkBadge(lift: TrendLift, verdict: TrendLine["verdict"]): Badge {
  const { cases, otherCases } = lift;
  const where = cases === undefined ? "" : ` on ${cases} ${cases === 1 ? "case" : "cases"}`;
  const size = lift.lift === null ? "" : `, ${points(lift.lift)} points`;
  if (lift.action === "fix first" && lift.verdict !== "worse") return badge("not measured", "lightgrey");
  switch (lift.verdict) {
    case "better":
      return badge(
        [
          `better${where}${size}`,
          ...others(otherCases),
          ...(verdict === "failed" ? ["but a gate failed"] : []),
        ].join(" · "),
        verdict === "failed" ? "red" : "brightgreen",
      );
    case "worse":
      return badge([`worse${where}${size}`, ...others(otherCases)].join(" · "), "red");
    case "no difference seen":
      return badge(`no difference${where}`, verdict === "failed" ? "red" : "yellow");
    case "underpowered":
    case "invalid":
      return badge(`undecided${where}`, "lightgrey");
  }
}

function others(answer: TrendLift["otherCases"]): string[] {
  if (answer?.verdict === "better")
    return [`helps in at least ${percent(answer.improvesAtLeast ?? 0)} of such cases`];
  if (answer?.verdict === "worse")
    return [`hurts in at least ${percent(answer.worsensAtLeast ?? 0)} of such cases`];
  return [];
}

function runBadge({ verdict }: TrendLine, arm: TrendArm): Badge {
  const code = codeChecks(arm);
  const judged = arm.layers["L3"];
  const parts = [
    ...(code.total === 0 ? [] : [`${code.passed}/${code.total}`]),
    ...(judged === undefined ? [] : [`judge ${percent(judged.passed / judged.total)}`]),
    ...(arm.trials > 1 && arm.stability !== null ? [`${percent(arm.stability)} stable`] : []),
  ];
  // Red for what code found wrong, yellow for missed thresholds.
  const color = code.passed < code.total ? "red" : verdict === "failed" ? "yellow" : "brightgreen";
  return badge(parts.join(" · ") || "no data", color);
}

function codeChecks({ layers }: TrendArm): { passed: number; total: number } {
  const decided = [layers["L1"], layers["L2"]].filter((layer) => layer !== undefined);
  return {
    passed: decided.reduce((sum, layer) => sum + layer.passed, 0),
    total: decided.reduce((sum, layer) => sum + layer.total, 0),
  };
}

function badge(message: string, color: Badge["color"]): Badge {
  return { schemaVersion: 1, label: "assay", message, color };
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
