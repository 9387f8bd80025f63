import { memo } from "../memo.ts";
import { type NumberFormat, numberFormat } from "./number-format.ts";
import type { Archive } from "./unzip.ts";
import { attribute, xmlTokens } from "./xml.ts";

/** The formats of a workbook's cells, by the number of the style that a cell names. */
export function cellFormats(archive: Archive): readonly NumberFormat[] {
  const from1904 = countsFrom1904(archive);
  const codes = new Map(Object.entries(BUILT_IN));
  const formatOf = memo((id: string) => numberFormat(codes.get(id) ?? "General", { from1904 }));
  const styles: NumberFormat[] = [];
  let inCells = false;
  for (const token of xmlTokens(archive.read("xl/styles.xml")?.toString("utf8") ?? "")) {
    if (token.kind === "text") continue;
    if (token.name === "cellXfs") inCells = token.kind === "open";
    if (token.kind === "close") continue;
    const id = attribute(token.attributes, "numFmtId") ?? "0";
    if (token.name === "numFmt") codes.set(id, attribute(token.attributes, "formatCode") ?? "General");
    else if (token.name === "xf" && inCells) {
      styles.push(formatOf(id));
    }
  }
  return styles;
}

function countsFrom1904(archive: Archive): boolean {
  for (const token of xmlTokens(archive.read("xl/workbook.xml")?.toString("utf8") ?? "")) {
    if (token.kind !== "open" || token.name !== "workbookPr") continue;
    return ["1", "true", "on"].includes(attribute(token.attributes, "date1904") ?? "");
  }
  return false;
}

/**
 * What no file spells out. 14 and 22 follow the settings of whoever looks, so they are shown in the order that nobody can
 * take for another; the others are shown as in American English.
 */
const BUILT_IN: Readonly<Record<string, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);[Red]("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd hh:mm",
  37: "#,##0_);(#,##0)",
  38: "#,##0_);[Red](#,##0)",
  39: "#,##0.00_);(#,##0.00)",
  40: "#,##0.00_);[Red](#,##0.00)",
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};
