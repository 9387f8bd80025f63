/** Columns padded to their widest cell, two spaces apart; numbers are set to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => printable(String(cell)).replaceAll("\n", " ")));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const right = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        right[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return `${[line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n")}\n`;
}
import { printable } from "../../operations/text.ts";
