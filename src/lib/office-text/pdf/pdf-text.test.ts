import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FONT, makePackedPdf, makePdf, pdfStream } from "../../../../test/support/make-pdf.ts";
import { officeText } from "../office-text.ts";
import { pdfText } from "./pdf-text.ts";

const CONTENT =
  "BT /F1 12 Tf 14 TL 72 700 Td (Hello \\(PDF\\)) Tj 0 -14 Td [(W)-20(orld)-300(again)] TJ (caf\\351) ' ET";
const TEXT = "# Page 1\nHello (PDF)\nWorld again\ncafé";

/** One shown string on a page. */
const showing = (string: string): string => `BT /F1 12 Tf 72 700 Td ${string} Tj ET`;

describe("officeText of a PDF", () => {
  it.each<[string, string | undefined, string]>([
    ["a plain stream", undefined, CONTENT],
    ["a deflated stream", "/FlateDecode", deflated(CONTENT)],
    ["hexadecimal", "/ASCIIHexDecode", `${Buffer.from(CONTENT, "latin1").toString("hex")}>`],
    ["base 85", "[/ASCII85Decode]", ascii85(CONTENT)],
    ["filters in a row", "[/ASCII85Decode /FlateDecode]", ascii85(deflated(CONTENT))],
  ])("reads %s", async (_, filter, content) => {
    const bytes = makePdf({ content, ...(filter === undefined ? {} : { filter }) });
    expect(await officeText(bytes)).toEqual({ status: "text", text: TEXT, cut: false });
  });

  it("reads the quotation marks, dashes and currencies that word processors write", async () => {
    const content = showing("(\\223It\\222s 5\\2261 \\227 \\200 12\\205\\224)");
    expect(await officeText(makePdf({ content }))).toMatchObject({ text: "# Page 1\n“It’s 5–1 — € 12…”" });
  });

  it("reads characters that a font names one by one", async () => {
    const font = FONT.replace(
      "/WinAnsiEncoding",
      "<< /Type /Encoding /Differences [1 /quotedblleft /Euro /endash /fi /quotedblright] >>",
    );
    const content = showing("(\\0012 \\002 3\\0034 \\004ne\\005)");
    expect(await officeText(makePdf({ content, font }))).toMatchObject({ text: "# Page 1\n“2 € 3–4 fine”" });
  });

  it("reads fonts by their own map of characters", async () => {
    const map =
      "/CMapName /X def begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <0416> <0002> <D83DDE00> endbfchar 2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0078> <0079>] endbfrange endcmap";
    const bytes = makePdf({
      content: showing("<0001000200100011001200200021>"),
      font: "/Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 6 0 R",
      objects: [
        pdfStream(map),
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 8 0 R >>",
        "<< /Type /FontDescriptor /FontName /X /Flags 4 >>",
      ],
    });
    expect(await officeText(bytes)).toMatchObject({ text: "# Page 1\nЖ😀abcxy" });
  });

  it("reads drawings inside drawings, and no drawing that holds itself forever", async () => {
    const form = pdfStream(
      "BT /F1 12 Tf 72 600 Td (inner) Tj ET /X1 Do",
      "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> >>",
    );
    const content = `${showing("(outer)")} /X1 Do`;
    const bytes = makePdf({ content, objects: [form], resources: "/XObject << /X1 6 0 R >>" });
    expect(await officeText(bytes, { deadlineMs: 3000 })).toMatchObject({
      text: expect.stringMatching(/^# Page 1\nouter\ninner/) as string,
    });
  });

  it("reads a file that anyone may open and only its owner may change", async () => {
    const encryption = { userPassword: "", ownerPassword: "sesame" };
    expect(await officeText(makePdf({ content: CONTENT, encryption }))).toMatchObject({ text: TEXT });
  });

  it("says that a file needs a password", async () => {
    const encryption = { userPassword: "secret", ownerPassword: "sesame" };
    expect(await officeText(makePdf({ content: CONTENT, encryption }))).toEqual({
      status: "unreadable",
      reason: "a PDF that needs a password",
    });
  });

  it("reads a file whose table of objects is lost", async () => {
    const whole = makePdf({ content: CONTENT });
    const bytes = whole.subarray(0, whole.lastIndexOf("startxref"));
    expect(await officeText(bytes)).toMatchObject({ text: TEXT });
  });

  it("is unreadable with only pictures", async () => {
    expect(await officeText(makePdf({ content: "q /Im1 Do Q" }))).toEqual({
      status: "unreadable",
      reason: "a PDF without text that can be read",
    });
  });

  it("is damaged when there is no page to be found", async () => {
    expect(await officeText(Buffer.from("%PDF-1.4\nnothing else"))).toEqual({
      status: "unreadable",
      reason: "damaged",
    });
  });

  it("ends soon on a file that opens without end", async () => {
    const bytes = Buffer.from(`%PDF-1.4\n${"1 0 obj(".repeat(200_000)}`);
    expect(await officeText(bytes, { deadlineMs: 5000 })).toMatchObject({ status: "unreadable" });
  });

  it("stops at its deadline on drawings that hold each other ten times over, and holds up nothing else", async () => {
    const form = (shows: number) =>
      pdfStream(
        shows === 26 ? showing("(x)") : `/X${shows} Do `.repeat(10),
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> /XObject << /X${shows} ${shows} 0 R >> >>`,
      );
    const objects = Array.from({ length: 20 }, (_, index) => form(index + 7));
    const bytes = makePdf({ content: "/X6 Do", objects, resources: "/XObject << /X6 6 0 R >>" });
    let ticks = 0;
    const clock = setInterval(() => ticks++, 50);
    expect(await officeText(bytes, { deadlineMs: 1000 })).toEqual({
      status: "unreadable",
      reason: "a PDF that takes longer than 1 s to read",
    });
    clearInterval(clock);
    expect(ticks).toBeGreaterThan(5);
  });

  it("reads objects that are packed together", async () => {
    expect(await officeText(makePackedPdf(CONTENT))).toMatchObject({ text: TEXT });
  });

  const limits = { mostBytes: 1 << 20, mostChars: 1000, deadlineMs: 20_000 };
  const bomb = " ".repeat(3 << 20);
  it.each<[string, () => Buffer]>([
    ["a page", () => makePdf({ filter: "/FlateDecode", content: deflated(bomb) })],
    [
      "a page that is packed twice",
      () => makePdf({ filter: "[/FlateDecode /FlateDecode]", content: deflated(deflated(bomb)) }),
    ],
    ["objects that are packed together", () => makePackedPdf(CONTENT, bomb)],
  ])("does not unpack a bomb in %s", async (_, make) => {
    const bytes = make();
    expect(bytes.length).toBeLessThan(10_000);
    expect(await pdfText(bytes, limits)).toEqual({
      status: "unreadable",
      reason: "unpacks to more than is read",
    });
  });

  it("ends with the page that fills its room", async () => {
    const content = `BT /F1 12 Tf 14 TL 72 760 Td ${"(forty letters and spaces fill every line) ' ".repeat(40)} ET`;
    expect(await pdfText(makePdf({ content }), limits)).toMatchObject({ status: "text", cut: true });
  });

  it("never rejects on damage", async () => {
    const sample = makePdf({ filter: "/FlateDecode", content: deflated(CONTENT) });
    const change = fc.tuple(fc.nat({ max: sample.length - 1 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 20 }), async (changes) => {
        const bytes = Buffer.from(sample);
        for (const [at, value] of changes) bytes[at] = value;
        const read = await officeText(bytes);
        expect(read === null || read.status === "text" || read.status === "unreadable").toBe(true);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

function deflated(content: string): string {
  return deflateSync(Buffer.from(content, "latin1")).toString("latin1");
}

function ascii85(content: string): string {
  const bytes = Buffer.from(content, "latin1");
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
