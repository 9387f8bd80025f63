import { deflateRawSync, deflateSync } from "node:zlib";
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

  it("has every sheet's cells with values and formulas", () => {
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
    expect(officeText(bytes)).toEqual({
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

  it("stays small when a thousand cells point at one long text", () => {
    const cells = Array.from({ length: 3000 }, (_, index) => `<c r="A${index}" t="s"><v>0</v></c>`).join("");
    const text = officeText(
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
  it("has paragraphs, headings, lists and tables, then headers and notes", () => {
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
    expect(officeText(bytes)).toMatchObject({
      text: "## Part one\nHello\t world\n& more\n- first\na | b\n# (footnotes)\nNote\n# (header1)\nHead",
    });
  });
});

describe("officeText of a presentation", () => {
  it("has the slides in the order of the presentation, with their notes", () => {
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
    expect(officeText(bytes)).toMatchObject({ text: "# Slide 1\nFirst\nNotes: Say hello\n# Slide 2\nLast" });
  });
});

describe("officeText of a PDF", () => {
  const CONTENT =
    "BT /F1 12 Tf 72 700 Td (Hello \\(PDF\\)) Tj 0 -14 Td [(W)-20(orld)-300(again)] TJ T* (caf\\351) ' ET";
  const CMAP =
    "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <0416> <0002> <D83DDE00> endbfchar 2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0078> <0079>] endbfrange endcmap";

  it.each<[string, readonly string[], string]>([
    ["a plain stream", ["", CONTENT], "# Page 1\nHello (PDF)\nWorld again\ncafé"],
    [
      "a deflated stream",
      ["/FlateDecode", latin(deflateSync(Buffer.from(CONTENT, "latin1")))],
      "# Page 1\nHello (PDF)\nWorld again\ncafé",
    ],
    [
      "hexadecimal",
      ["/ASCIIHexDecode", `${Buffer.from(CONTENT, "latin1").toString("hex")}>`],
      "# Page 1\nHello (PDF)\nWorld again\ncafé",
    ],
    ["base 85", ["[/ASCII85Decode]", ascii85("BT (hi there) Tj ET")], "# Page 1\nhi there"],
  ])("reads %s", (_, [filter = "", content = ""], text) => {
    expect(officeText(pdf(filter, content))).toMatchObject({ status: "text", text });
  });

  it("reads fonts by their own map of characters", () => {
    const font = "/Type /Font /Subtype /Type0 /ToUnicode 6 0 R";
    const content = "BT /F1 9 Tf <000100020010001100120020002100ff> Tj ET";
    const bytes = pdf("", content, {
      font,
      extra: `6 0 obj << /Length ${CMAP.length} >> stream\n${CMAP}\nendstream endobj`,
    });
    expect(officeText(bytes)).toMatchObject({ text: "# Page 1\nЖ😀abcxy" });
  });

  it("reads objects that are packed together", () => {
    const inner = "1 0 2 36 << /Type /Catalog /Pages 2 0 R >>     << /Type /Pages /Kids [3 0 R] >>";
    const first = inner.indexOf("<<");
    const offsets = `1 0 2 ${inner.lastIndexOf("<<") - first} `;
    const body = offsets + inner.slice(first);
    const packed = deflateSync(Buffer.from(body));
    const bytes = Buffer.from(
      `%PDF-1.5\n9 0 obj << /Type /ObjStm /N 2 /First ${offsets.length} /Filter /FlateDecode /Length ${packed.length} >> stream\n${latin(packed)}\nendstream endobj\n${page("", CONTENT)}`,
      "latin1",
    );
    expect(officeText(bytes)).toMatchObject({ text: "# Page 1\nHello (PDF)\nWorld again\ncafé" });
  });

  it("reads drawings inside drawings, and no drawing that holds itself for ever", () => {
    const form = "BT (inner) Tj ET /X1 Do";
    const extra = `7 0 obj << /Type /XObject /Subtype /Form /Resources << /XObject << /X1 7 0 R >> >> /Length ${form.length} >> stream\n${form}\nendstream endobj`;
    const bytes = pdf("", "BT (outer) Tj ET /X1 Do", { extra, resources: "/XObject << /X1 7 0 R >>" });
    expect(officeText(bytes)).toMatchObject({
      text: expect.stringMatching(/^# Page 1\nouter\ninner/) as string,
    });
  });

  it.each([
    ["only pictures", pdf("", "q /Im1 Do Q")],
    [
      "a font that does not say what it shows",
      pdf("", "BT /F1 9 Tf <0001> Tj ET", { font: "/Subtype /Type0" }),
    ],
    ["an unknown filter", pdf("/LZWDecode", CONTENT)],
    ["encryption", Buffer.concat([pdf("", CONTENT), Buffer.from("trailer << /Encrypt 8 0 R >>")])],
  ])("is unreadable with %s", (_, bytes) => {
    expect(officeText(bytes)).toEqual({
      status: "unreadable",
      reason: "a PDF without text that can be read",
    });
  });

  it("ends soon on a file that opens without end", () => {
    const bytes = Buffer.from(`%PDF-1.4\n${"1 0 obj(".repeat(200_000)}`);
    const started = performance.now();
    expect(officeText(bytes)?.status).toBe("unreadable");
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("officeText of anything else", () => {
  it.each([
    ["text", Buffer.from("hello")],
    ["nothing", Buffer.alloc(0)],
    ["two letters", Buffer.from("PK")],
    ["an archive of something else", archive({ "a.txt": "x" })],
    ["half an archive", archive({ "xl/workbook.xml": "<workbook/>" }).subarray(0, 40)],
  ])("%s is not its business", (_, bytes) => {
    expect(officeText(bytes)).toBeNull();
  });

  it("a bomb is not unpacked", () => {
    const content = Buffer.alloc(80 * 1024 * 1024, 0x20);
    const bytes = archive({ "word/document.xml": content });
    expect(bytes.length).toBeLessThan(200_000);
    expect(officeText(bytes)).toEqual({ status: "unreadable", reason: "unpacks to more than is read" });
  });

  it("a PDF bomb is not unpacked", () => {
    const bytes = pdf("/FlateDecode", latin(deflateSync(Buffer.alloc(80 * 1024 * 1024, 0x20))));
    expect(officeText(bytes)).toEqual({ status: "unreadable", reason: "unpacks to more than is read" });
  });

  it("declared entities stay as they are written", () => {
    const xml =
      '<!DOCTYPE d [<!ENTITY a "aaaa">]><w:document><w:p><w:t>&a;&lt;&#x41;&#99999999;</w:t></w:p></w:document>';
    expect(officeText(archive({ "word/document.xml": xml }))).toMatchObject({ text: "&a;<A&#99999999;" });
  });

  it("damage never throws", () => {
    const samples = [
      pdf("/FlateDecode", latin(deflateSync(Buffer.from("BT (x) Tj ET")))),
      archive({ "word/document.xml": "<w:document><w:p><w:t>x</w:t></w:p></w:document>" }),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
        (sample, changes) => {
          const bytes = Buffer.from(sample);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const read = officeText(bytes);
          expect(read === null || read.status === "text" || read.status === "unreadable").toBe(true);
        },
      ),
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

interface PdfParts {
  readonly font?: string;
  readonly extra?: string;
  readonly resources?: string;
}

function pdf(filter: string, content: string, parts: PdfParts = {}): Buffer {
  return Buffer.from(
    `%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n${page(filter, content, parts)}`,
    "latin1",
  );
}

function page(
  filter: string,
  content: string,
  { font = "/Type /Font /Subtype /Type1", extra = "", resources = "" }: PdfParts = {},
): string {
  const filtered = filter === "" ? "" : `/Filter ${filter} `;
  return `3 0 obj << /Type /Page /Parent 2 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> /Contents 4 0 R >> endobj
4 0 obj << ${filtered}/Length ${content.length} >> stream\n${content}\nendstream endobj
5 0 obj << ${font} >> endobj\n${extra}\n%%EOF`;
}

function latin(bytes: Buffer): string {
  return bytes.toString("latin1");
}

function ascii85(text: string): string {
  const bytes = Buffer.from(text);
  let out = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const group = bytes.subarray(at, at + 4);
    let value = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE();
    const digits: string[] = [];
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85))
      digits.unshift(String.fromCharCode(33 + (value % 85)));
    out += digits.slice(0, group.length + 1).join("");
  }
  return `${out}~>`;
}

// Kept beside `zip`, which never writes a size that lies.
it("an archive that lies about its sizes is not believed", () => {
  const bytes = archive({ "word/document.xml": "<w:p><w:t>short</w:t></w:p>" });
  const packed = deflateRawSync(Buffer.from("x"));
  bytes.writeUInt32LE(packed.length + 1_000_000, bytes.indexOf("PK\x01\x02", 0, "latin1") + 20);
  expect(officeText(bytes)?.status).toBe("unreadable");
});
