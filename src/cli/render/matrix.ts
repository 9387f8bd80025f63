import { signedRate } from "../../operations/text.ts";
import type { MatrixRow } from "../../operations/bench.ts";
import { table } from "./table.ts";

/** The lifts side by side; nothing for a single one. */
export function matrixText(rows: readonly MatrixRow[]): string {
  if (rows.length < 2) return "";
  const cells = rows.map((row) => [
    row.suite,
    row.harness,
    row.model ?? "default",
    row.lift === null ? "-" : signedRate(row.lift),
    row.interval === null ? "-" : `${signedRate(row.interval.low)} to ${signedRate(row.interval.high)}`,
    pText(row.pValue),
    pText(row.adjustedPValue),
    verdictText(row, rows.length),
  ]);
  const head = ["skill", "harness", "model", "lift", "95 % interval", "p", "adjusted p", "verdict"];
  return `\n${table(head, cells)}p-values are adjusted for ${rows.length} benchmarks after Benjamini and Hochberg.\n`;
}

function verdictText({ verdict, holds }: MatrixRow, count: number): string {
  const found = verdict === "better" || verdict === "worse";
  return found && !holds ? `${verdict} by itself, not among ${count}` : verdict;
}

function pText(pValue: number | null): string {
  if (pValue === null) return "-";
  return pValue < 0.001 ? "< 0.001" : pValue.toFixed(3);
}
