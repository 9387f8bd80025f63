import { confidence, points, pText } from "../../operations/text.ts";
import type { MatrixRow } from "../../operations/bench.ts";
import { brokenAt } from "./fitted.ts";
import { table } from "./table.ts";

/** The lifts side by side; nothing for a single one. */
export function matrixText(rows: readonly MatrixRow[], columns: number | null): string {
  if (rows.length < 2) return "";
  const cells = rows.map((row) => [
    row.suite,
    row.harness,
    row.model ?? "default",
    row.lift === null ? "-" : points(row.lift),
    row.interval === null ? "-" : intervalText(row.interval, row.alpha),
    pCell(row.pValue),
    pCell(row.adjustedPValue),
    verdictText(row, rows.length),
  ]);
  const head = ["skill", "harness", "model", "lift, points", "95 % interval", "p", "adjusted p", "verdict"];
  const adjusted = `p-values are adjusted for ${rows.length} benchmarks after Benjamini and Hochberg.\n`;
  return `\n${table(head, cells, columns)}${brokenAt(adjusted, columns)}`;
}

/** The column is of 95 %; what is not says so. */
function intervalText({ low, high }: NonNullable<MatrixRow["interval"]>, alpha: number): string {
  return `${points(low)} to ${points(high)}${alpha === 0.05 ? "" : ` (${confidence(alpha)})`}`;
}

function verdictText({ verdict, holds }: MatrixRow, count: number): string {
  const found = verdict === "better" || verdict === "worse";
  return found && !holds ? `${verdict} by itself, not among ${count}` : verdict;
}

function pCell(pValue: number | null): string {
  return pValue === null ? "-" : pText(pValue).replace(/^= /, "");
}
