import { cellFormats } from "./cell-formats.ts";
import type { NumberFormat } from "./number-format.ts";
import type { Archive } from "./unzip.ts";
import { relationships } from "./relationships.ts";
import type { TextSink } from "./text-sink.ts";
import { attribute, xmlTokens } from "./xml.ts";

/** Every sheet, a line for each row, numbers as they are shown: `A1: Total | B1: 45% (=SUM(B2:B9))`. */
export function xlsxText(archive: Archive, sink: TextSink): void {
  const book: Book = { shared: sharedStrings(archive), formats: cellFormats(archive) };
  for (const { name, hidden, path } of sheets(archive)) {
    const xml = archive.read(path)?.toString("utf8");
    if (xml === undefined) continue;
    sink.line(`# Sheet ${JSON.stringify(name)}${hidden ? " (hidden)" : ""}`);
    sheetRows(xml, book, sink);
    if (sink.full) return;
  }
}

/** What the cells of all sheets refer to by number. */
interface Book {
  readonly shared: readonly string[];
  readonly formats: readonly NumberFormat[];
}

interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly path: string;
}

function sheets(archive: Archive): readonly Sheet[] {
  const paths = relationships(archive, "xl/workbook.xml");
  const found: Sheet[] = [];
  for (const token of xmlTokens(archive.read("xl/workbook.xml")?.toString("utf8") ?? "")) {
    if (token.kind !== "open" || token.name !== "sheet") continue;
    const path = paths.get(/:id\s*=\s*["']([^"']*)/.exec(token.attributes)?.[1] ?? "");
    const name = attribute(token.attributes, "name") ?? "";
    const hidden = (attribute(token.attributes, "state") ?? "visible") !== "visible";
    if (path !== undefined) found.push({ name, hidden, path });
  }
  return found;
}

function sharedStrings(archive: Archive): readonly string[] {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let phonetic = false;
  for (const token of xmlTokens(archive.read("xl/sharedStrings.xml")?.toString("utf8") ?? "")) {
    if (token.kind === "text") {
      if (inText && !phonetic) text += token.text;
    } else if (token.name === "t") inText = token.kind === "open";
    else if (token.name === "rPh") phonetic = token.kind === "open";
    else if (token.name === "si") {
      if (token.kind === "close") strings.push(text);
      else text = "";
    }
  }
  return strings;
}

function sheetRows(xml: string, book: Book, sink: TextSink): void {
  let row: string[] = [];
  let cell: Cell = { at: "", type: "", style: 0, value: "", formula: null };
  let inside = "";
  for (const token of xmlTokens(xml)) {
    if (token.kind === "text") {
      if (inside === "f") cell.formula = (cell.formula ?? "") + token.text;
      else if (inside === "v" || inside === "t") cell.value += token.text;
      continue;
    }
    if (token.kind === "open") {
      if (token.name === "c") {
        cell = newCell(token.attributes);
      } else if (token.name === "f") cell.formula = "";
      inside = token.name;
      continue;
    }
    inside = "";
    if (token.name === "c") {
      const shown = cellText(cell, book);
      if (shown !== null) row.push(`${cell.at}: ${shown.slice(0, MOST_CELL_CHARS)}`);
    }
    if (token.name === "row" || row.length === MOST_ROW_CELLS) {
      if (row.length > 0) sink.line(row.join(" | "));
      if (sink.full) return;
      row = [];
    }
  }
}

/** Many cells may point at one long text, so that a small file could become a huge one. */
const MOST_CELL_CHARS = 4000;
const MOST_ROW_CELLS = 2000;

interface Cell {
  readonly at: string;
  readonly type: string;
  readonly style: number;
  value: string;
  formula: string | null;
}

function newCell(attributes: string): Cell {
  return {
    at: attribute(attributes, "r") ?? "?",
    type: attribute(attributes, "t") ?? "n",
    style: Number(attribute(attributes, "s") ?? 0),
    value: "",
    formula: null,
  };
}

function cellText({ type, style, value, formula }: Cell, { shared, formats }: Book): string | null {
  let shown = value;
  if (type === "s") shown = shared[Number(value)] ?? "";
  else if (type === "b") shown = value === "1" ? "TRUE" : "FALSE";
  else if (type === "n") shown = formats[style]?.(value) ?? value;
  if (formula !== null) return `${shown} (=${formula === "" ? "shared formula" : formula})`.trim();
  return shown === "" ? null : shown;
}
