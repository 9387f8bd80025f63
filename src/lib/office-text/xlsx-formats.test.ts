import { describe, expect, it } from "vitest";
import { zip } from "../zip.ts";
import { officeText } from "./office-text.ts";

/** What is read of one cell with this value and this format. */
async function shown(value: string, format: string | number, options: Workbook = {}): Promise<string> {
  const custom = typeof format === "string";
  const code = custom
    ? format.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
    : "";
  const read = await officeText(
    workbook(`<c r="A1" s="1" ${options.cell ?? ""}>${options.formula ?? ""}<v>${value}</v></c>`, {
      ...options,
      styles: `<styleSheet>${custom ? `<numFmts count="1"><numFmt numFmtId="164" formatCode="${code}"/></numFmts>` : ""}<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="${custom ? 164 : format}" applyNumberFormat="1"><alignment/></xf></cellXfs></styleSheet>`,
    }),
  );
  return read?.status === "text" ? read.text.replace('# Sheet "S"\nA1: ', "") : "unreadable";
}

describe("a cell of a spreadsheet reads as it is shown", () => {
  it.each([
    ["a date", "45306", 14, "2024-01-15"],
    ["a date in the file's own order", "45306", "yyyy-mm-dd", "2024-01-15"],
    ["a date and a time", "45306.75", 22, "2024-01-15 18:00"],
    ["a date and a time to the second", "45306.75", "yyyy-mm-dd hh:mm:ss", "2024-01-15 18:00:00"],
    ["a time", "0.75", 20, "18:00"],
    ["a time to the second", "0.75", 21, "18:00:00"],
    ["a span of time", "1.5", 46, "36:00:00"],
    ["a percentage", "0.125", "0.0%", "12.5%"],
    ["a percentage of whole numbers", "0.25", 9, "25%"],
    ["two decimals", "12.5", 2, "12.50"],
    ["thousands", "1234567", 3, "1,234,567"],
    ["thousands with decimals", "-1234.5", 4, "-1,234.50"],
    ["dollars", "12.5", '"$"#,##0.00', "$12.50"],
    ["euros", "1234.5", "#,##0.00 [$€-1]", "1,234.50 €"],
    ["losses in parentheses", "-12.5", '"$"#,##0.00_);[Red]("$"#,##0.00)', "($12.50)"],
    ["an account", "12.5", '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', "$12.50"],
    ["a number as text", "45306", 49, "45306"],
    ["no format", "0.30000000000000004", 0, "0.30000000000000004"],
  ])("%s", async (_, value, format, text) => {
    expect(await shown(value, format)).toBe(text);
  });
});

describe("a cell also tells its value where the format hides a part of it", () => {
  it.each([
    ["a date that can be taken for another", "45306", "m/d/yy", "1/15/24 [2024-01-15]"],
    ["a date without its day", "45306", 17, "Jan-24 [2024-01-15]"],
    ["a date without its time", "45306.75", 14, "2024-01-15 [2024-01-15 18:00]"],
    ["half a day", "0.75", 18, "6:00 PM [18:00]"],
    ["decimals that are not shown", "1234.5678", 3, "1,235 [1234.5678]"],
    ["a rounded percentage", "0.12345", 9, "12% [0.12345]"],
    ["powers of ten", "123456", 11, "1.23E+05 [123456]"],
    ["thousands that are left off", "12000", "#,##0,", "12 [12000]"],
    ["a sign that only a color shows", "-5", "0;[Red]0", "5 [-5]"],
    ["a value that is hidden", "5", ";;;", "5"],
    ["a negative value that is hidden", "-5", "0;", "[-5]"],
  ])("%s", async (_, value, format, text) => {
    expect(await shown(value, format)).toBe(text);
  });

  it("but not where only the last digits of a binary fraction differ", async () => {
    expect(await shown("0.30000000000000004", 2)).toBe("0.30");
  });
});

describe("a cell of a spreadsheet", () => {
  it("has its formula after the value", async () => {
    expect(await shown("0.5", 9, { formula: "<f>A2/A3</f>" })).toBe("50% (=A2/A3)");
  });

  it("counts days from 1904 where the workbook does", async () => {
    expect(await shown("43844", 14, { properties: '<workbookPr date1904="1"/>' })).toBe("2024-01-15");
    expect(await shown("0.75", 20, { properties: '<workbookPr date1904="true"/>' })).toBe("18:00");
    expect(await shown("43844", 3, { properties: '<workbookPr date1904="1"/>' })).toBe("43,844");
  });

  it.each([
    ["a format that is not known", "12.5", 99],
    ["a format that is none", "12.5", "garbage[["],
    ["a format without end", "12.5", "0".repeat(100_000)],
    ["a date before all dates", "-5", 14],
    ["a date after all dates", "99999999", 14],
    ["no number", "n/a", 14],
  ])("keeps its value with %s", async (_, value, format) => {
    expect(await shown(value, format)).toBe(value);
  });

  it("formats no texts, truths or errors", async () => {
    expect(await shown("45306", 14, { cell: 't="str"' })).toBe("45306");
    expect(await shown("1", 14, { cell: 't="b"' })).toBe("TRUE");
    expect(await shown("#N/A", 14, { cell: 't="e"' })).toBe("#N/A");
  });
});

interface Workbook {
  readonly cell?: string;
  readonly formula?: string;
  readonly properties?: string;
}

function workbook(cell: string, { properties = "", styles }: Workbook & { readonly styles: string }): Buffer {
  const files = {
    "xl/workbook.xml": `<workbook>${properties}<sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" Target="s.xml"/></Relationships>',
    "xl/styles.xml": styles,
    "xl/s.xml": `<worksheet><sheetData><row r="1">${cell}</row></sheetData></worksheet>`,
  };
  return zip(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: Buffer.from(content),
      executable: false,
    })),
  );
}
