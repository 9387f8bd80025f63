import { docxText } from "./docx.ts";
import { pdfText } from "./pdf.ts";
import { pptxText } from "./pptx.ts";
import { textSink } from "./text-sink.ts";
import { type Archive, openZip, TooLarge } from "./unzip.ts";
import { xlsxText } from "./xlsx.ts";

/** The text of an office document. */
export type OfficeText =
  /** `cut`: there is more of it. */
  | { readonly status: "text"; readonly text: string; readonly cut: boolean }
  | { readonly status: "unreadable"; readonly reason: string };

/** What is unpacked of one file, and what is kept of its text. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_CHARS = 2_000_000;

/** Null when the bytes are no xlsx, docx, pptx or PDF. Never throws. */
export function officeText(bytes: Buffer): OfficeText | null {
  try {
    if (bytes.subarray(0, 1024).includes("%PDF-")) return finished(pdfText(bytes, MOST_BYTES), "PDF");
    if (bytes.toString("latin1", 0, 2) !== "PK") return null;
    const archive = openZip(bytes, MOST_BYTES);
    return archive === null ? null : archiveText(archive);
  } catch (error) {
    if (error instanceof TooLarge) return { status: "unreadable", reason: "unpacks to more than is read" };
    return { status: "unreadable", reason: "damaged" };
  }
}

const KINDS = [
  { main: "xl/workbook.xml", name: "spreadsheet", read: xlsxText },
  { main: "word/document.xml", name: "document", read: docxText },
  { main: "ppt/presentation.xml", name: "presentation", read: pptxText },
] as const;

function archiveText(archive: Archive): OfficeText | null {
  const kind = KINDS.find(({ main }) => archive.names.includes(main));
  if (kind === undefined) return null;
  const sink = textSink(MOST_CHARS);
  kind.read(archive, sink);
  return finished({ text: sink.text(), cut: sink.full }, kind.name);
}

function finished(found: { text: string; cut: boolean } | null, kind: string): OfficeText {
  if (found === null || found.text.trim() === "") {
    return { status: "unreadable", reason: `a ${kind} without text that can be read` };
  }
  return {
    status: "text",
    text: found.text.slice(0, MOST_CHARS),
    cut: found.cut || found.text.length > MOST_CHARS,
  };
}
