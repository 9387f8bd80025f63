import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zip } from "../zip.ts";
import { officeText } from "./office-text.ts";

describe("officeText of a spreadsheet", () => {
  const workbook = (sheets: string): string =>
    `<?xml version="1.0"?><workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>`;
  const rels = (...targets: string[]): string =>
    `<Relationships>${targets.map((target, index) => `<Relationship Id="rId${index + 1}" Target="${target}"/>`).join("")}</Relationships>`;
  const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

  it("has every sheet's cells with values and formulas", async () => {
    const bytes = archive({
      "xl/workbook.xml": workbook(
        '<sheet name="Q1 &amp; Q2" sheetId="1" r:id="rId1"/><sheet name="Notes" state="hidden" r:id="rId2"/>',
      ),
      "xl/_rels/workbook.xml.rels": rels("worksheets/sheet1.xml", "/xl/worksheets/other.xml"),
      "xl/sharedStrings.xml":
        '<sst><si><t>Name</t></si><si><r><t>J&#252;r</t></r><r><t xml:space="preserve">gen </t></r><rPh><t>x</t></rPh></si></sst>',
      "xl/worksheets/sheet1.xml": sheet(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Amount</t></is></c></row>' +
          '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="3"><v>12.5</v></c><c r="C2" t="b"><v>1</v></c></row>' +
          '<row r="3"><c r="A3"/><c r="B3"><f>SUM(B1:B2)&lt;9</f><v>12.5</v></c><c r="C3"><f t="shared" si="0"/><v>4</v></c><c r="D3" t="str"><f>A1&amp;"x"</f><v>Namex</v></c></row>',
      ),
      "xl/worksheets/other.xml": sheet('<row r="1"><c r="A1" t="e"><v>#DIV/0!</v></c></row>'),
    });
    expect(await officeText(bytes)).toEqual({
      status: "text",
      cut: false,
      text: [
        '# Sheet "Q1 & Q2"',
        "A1: Name | B1: Amount",
        "A2: Jürgen  | B2: 12.5 | C2: TRUE",
        'B3: 12.5 (=SUM(B1:B2)<9) | C3: 4 (=shared formula) | D3: Namex (=A1&"x")',
        '# Sheet "Notes" (hidden)',
        "A1: #DIV/0!",
      ].join("\n"),
    });
  });

  it("stays small when a thousand cells point at one long text", async () => {
    const cells = Array.from({ length: 3000 }, (_, index) => `<c r="A${index}" t="s"><v>0</v></c>`).join("");
    const text = await officeText(
      archive({
        "xl/workbook.xml": workbook('<sheet name="S" r:id="rId1"/>'),
        "xl/_rels/workbook.xml.rels": rels("s.xml"),
        "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(1_000_000)}</t></si></sst>`,
        "xl/s.xml": sheet(`<row>${cells}</row>`),
      }),
    );
    expect(text).toMatchObject({ status: "text", cut: true });
    expect(text?.status === "text" && text.text.length).toBeLessThanOrEqual(2_000_000);
  });
});

describe("officeText of a document", () => {
  it("has paragraphs, headings, lists and tables, then headers and notes", async () => {
    const paragraph = (inner: string, style = ""): string => `<w:p>${style}<w:r>${inner}</w:r></w:p>`;
    const heading = '<w:pPr><w:pStyle w:val="Heading2"/></w:pPr>';
    const cell = (text: string): string => `<w:tc>${paragraph(`<w:t>${text}</w:t>`)}</w:tc>`;
    const bytes = archive({
      "word/document.xml": `<w:document><w:body>${paragraph("<w:t>Part one</w:t>", heading)}${paragraph(
        '<w:t>Hello</w:t><w:tab/><w:t xml:space="preserve"> world</w:t><w:br/><w:t>&amp; more</w:t><w:delText>gone</w:delText>',
      )}${paragraph("<w:t>first</w:t>", "<w:pPr><w:numPr/></w:pPr>")}<w:tbl><w:tr>${cell("a")}${cell("b")}</w:tr></w:tbl></w:body></w:document>`,
      "word/header1.xml": `<w:hdr>${paragraph("<w:t>Head</w:t>")}</w:hdr>`,
      "word/footnotes.xml": `<w:footnotes>${paragraph("<w:t>Note</w:t>")}</w:footnotes>`,
    });
    expect(await officeText(bytes)).toMatchObject({
      text: "## Part one\nHello\t world\n& more\n- first\na | b\n# (footnotes)\nNote\n# (header1)\nHead",
    });
  });
});

describe("officeText of a presentation", () => {
  it("has the slides in the order of the presentation, with their notes", async () => {
    const slide = (text: string): string => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const bytes = archive({
      "ppt/presentation.xml":
        '<p:presentation><p:sldIdLst><p:sldId id="2" r:id="rId2"/><p:sldId id="1" r:id="rId1"/></p:sldIdLst></p:presentation>',
      "ppt/_rels/presentation.xml.rels":
        '<Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/><Relationship Id="rId2" Target="slides/slide2.xml"/></Relationships>',
      "ppt/slides/slide1.xml": slide("Last"),
      "ppt/slides/slide2.xml": slide("First"),
      "ppt/slides/_rels/slide2.xml.rels":
        '<Relationships><Relationship Id="rId1" Target="../notesSlides/notesSlide1.xml"/></Relationships>',
      "ppt/notesSlides/notesSlide1.xml": slide("Say hello"),
    });
    expect(await officeText(bytes)).toMatchObject({
      text: "# Slide 1\nFirst\nNotes: Say hello\n# Slide 2\nLast",
    });
  });
});

describe("officeText of anything else", () => {
  it.each([
    ["text", Buffer.from("hello")],
    ["nothing", Buffer.alloc(0)],
    ["two letters", Buffer.from("PK")],
    ["an archive of something else", archive({ "a.txt": "x" })],
    ["half an archive", archive({ "xl/workbook.xml": "<workbook/>" }).subarray(0, 40)],
  ])("%s is not its business", async (_, bytes) => {
    expect(await officeText(bytes)).toBeNull();
  });

  it("a bomb is not unpacked", async () => {
    const content = Buffer.alloc(80 * 1024 * 1024, 0x20);
    const bytes = archive({ "word/document.xml": content });
    expect(bytes.length).toBeLessThan(200_000);
    expect(await officeText(bytes)).toEqual({ status: "unreadable", reason: "unpacks to more than is read" });
  });

  it("declared entities stay as they are written", async () => {
    const xml =
      '<!DOCTYPE d [<!ENTITY a "aaaa">]><w:document><w:p><w:t>&a;&lt;&#x41;&#99999999;</w:t></w:p></w:document>';
    expect(await officeText(archive({ "word/document.xml": xml }))).toMatchObject({
      text: "&a;<A&#99999999;",
    });
  });

  it("damage never rejects", async () => {
    const sample = archive({ "word/document.xml": "<w:document><w:p><w:t>x</w:t></w:p></w:document>" });
    const change = fc.tuple(fc.nat({ max: sample.length - 1 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        const bytes = Buffer.from(sample);
        for (const [at, value] of changes) bytes[at] = value;
        const read = await officeText(bytes);
        expect(read === null || read.status === "text" || read.status === "unreadable").toBe(true);
      }),
    );
  });
});

function archive(files: Readonly<Record<string, string | Buffer>>): Buffer {
  return zip(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: Buffer.from(content),
      executable: false,
    })),
  );
}

// Kept beside `zip`, which never writes a size that lies.
it("an archive that lies about its sizes is not believed", async () => {
  const bytes = archive({ "word/document.xml": "<w:p><w:t>short</w:t></w:p>" });
  const packed = deflateRawSync(Buffer.from("x"));
  bytes.writeUInt32LE(packed.length + 1_000_000, bytes.indexOf("PK\x01\x02", 0, "latin1") + 20);
  expect((await officeText(bytes))?.status).toBe("unreadable");
});
