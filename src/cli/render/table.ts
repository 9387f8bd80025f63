import { clip, padTo, printable, textWidth, wrap } from "../../operations/text.ts";

type Cell = string | number;

/**
 * Columns padded to their widest cell, two spaces apart; numbers are set to the right. Where they are wider than `columns`,
 * titles are broken between words, then what all rows have in common is said once below, then the widest texts are broken; null:
 * there is no such limit.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns: number | null = null,
): string {
  const all = head.map((title, at) =>
    columnOf(
      title,
      rows.map((row) => row[at] ?? ""),
    ),
  );
  const { kept, common } =
    columns === null ? { kept: all, common: [] } : withoutCommon(byTitles(all, columns - 1), columns - 1);
  const shown = columns === null ? kept : byTexts(kept, columns - 1);
  const titles = linesOf(shown, ({ title }) => title, "bottom");
  const rule = shown.map(({ width }) => "-".repeat(width)).join("  ");
  const body = rows.flatMap((_, at) => linesOf(shown, ({ cells }) => cells[at] ?? ""));
  return `${[...titles, rule, ...body, ...commonLines(common)].join("\n")}\n`;
}

/** As many lines as the highest of the cells needs; the others are at the top or at the bottom of them. */
function linesOf(
  columns: readonly Column[],
  cellOf: (column: Column) => string,
  side: "top" | "bottom" = "top",
): readonly string[] {
  const cells = columns.map((column) => ({ ...column, lines: wrap(cellOf(column), column.width) }));
  const height = Math.max(...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map(({ lines, width, isNumber }) =>
        padTo(
          clip(lines[side === "top" ? at : at - height + lines.length] ?? "", width),
          width,
          isNumber ? "right" : "left",
        ),
      )
      .join("  ")
      .trimEnd(),
  );
}

interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly width: number;
  readonly isNumber: boolean;
}

function columnOf(title: string, values: readonly Cell[]): Column {
  const cells = values.map((value) => printable(String(value)).replaceAll("\n", " "));
  return {
    title,
    cells,
    width: Math.max(textWidth(title), ...cells.map(textWidth)),
    isNumber: values.length > 0 && values.every((value) => typeof value === "number"),
  };
}

function totalWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width + 2, -2);
}

/** From the right, until the rest fits; the first column tells the rows apart. */
function withoutCommon(
  all: readonly Column[],
  most: number,
): { readonly kept: readonly Column[]; readonly common: readonly Column[] } {
  let kept = all;
  const common: Column[] = [];
  for (const column of all.slice(1).toReversed()) {
    if (totalWidth(kept) <= most) break;
    if (new Set(column.cells).size > 1) continue;
    kept = kept.filter((one) => one !== column);
    common.unshift(column);
  }
  return { kept, common };
}

/** `model: its own`, `minutes, cost: unknown`. */
function commonLines(common: readonly Column[]): readonly string[] {
  const byValue = new Map<string, string[]>();
  for (const { title, cells } of common) {
    const [value = ""] = cells;
    if (value !== "") byValue.set(value, [...(byValue.get(value) ?? []), title]);
  }
  return [...byValue].map(([value, titles]) => `${titles.join(", ")}: ${value}`);
}

const LEAST_WIDTH = 6;

function byTitles(columns: readonly Column[], most: number): readonly Column[] {
  return shrunk(columns, most, ({ title, cells }) =>
    Math.max(...title.split(" ").map(textWidth), ...cells.map(textWidth)),
  );
}

function byTexts(columns: readonly Column[], most: number): readonly Column[] {
  return shrunk(columns, most, ({ isNumber, width }) => (isNumber ? width : LEAST_WIDTH));
}

/** The widest first, none below its least. */
function shrunk(
  columns: readonly Column[],
  most: number,
  leastOf: (column: Column) => number,
): readonly Column[] {
  const least = columns.map(leastOf);
  const widths = columns.map(({ width }) => width);
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2);
  while (total() > most) {
    const open = [...widths.keys()].filter((at) => (widths[at] ?? 0) > (least[at] ?? 0));
    const [widest] = open.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((column, at) => ({ ...column, width: widths[at] ?? column.width }));
}
