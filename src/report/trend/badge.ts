import type { TrendArm, TrendLine } from "../../domain/trend.ts";
import { testedArm } from "./series.ts";

/** What shields.io's endpoint badge reads. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: "brightgreen" | "yellow" | "red" | "lightgrey";
}

/** `8/8 · L3 92% · 80% stable`: checks decided by code, criteria decided by a judge, runs that meet their gate. */
export function badgeOf(line: TrendLine | null): Badge {
  const arm = line === null ? null : testedArm(line);
  if (line === null || arm === null || arm.total === 0) return badge("no data", "lightgrey");
  const code = codeChecks(arm);
  const judged = arm.layers["L3"];
  const parts = [
    ...(code.total === 0 ? [] : [`${code.passed}/${code.total}`]),
    ...(judged === undefined ? [] : [`L3 ${percent(judged.passed / judged.total)}`]),
    ...(arm.trials > 1 && arm.stability !== null ? [`${percent(arm.stability)} stable`] : []),
  ];
  return badge(parts.join(" · ") || "no data", colorOf(line, code));
}

function codeChecks({ layers }: TrendArm): { passed: number; total: number } {
  const decided = [layers["L1"], layers["L2"]].filter((layer) => layer !== undefined);
  return {
    passed: decided.reduce((sum, layer) => sum + layer.passed, 0),
    total: decided.reduce((sum, layer) => sum + layer.total, 0),
  };
}

/** Red for what code found wrong, yellow for missed thresholds and for what could not be finished. */
function colorOf({ verdict, lift }: TrendLine, code: { passed: number; total: number }): Badge["color"] {
  if (code.passed < code.total || lift?.verdict === "worse") return "red";
  return verdict === "passed" ? "brightgreen" : "yellow";
}

function badge(message: string, color: Badge["color"]): Badge {
  return { schemaVersion: 1, label: "assay", message, color };
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
