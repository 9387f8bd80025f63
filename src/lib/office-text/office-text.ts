import { docxText } from "./docx.ts";
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

const PDF_DEADLINE_MS = 20_000;

/** Null when the bytes are no xlsx, docx, pptx or PDF. Never rejects. */
export async function officeText(
  bytes: Buffer,
  { deadlineMs = PDF_DEADLINE_MS }: { readonly deadlineMs?: number } = {},
): Promise<OfficeText | null> {
  if (bytes.subarray(0, 1024).includes("%PDF-")) {
    // Apart, so that a build keeps it in a file of its own, beside which it finds its thread.
    const { pdfText } = await import("./pdf/pdf-text.ts");
    return bounded(await pdfText(bytes, { mostBytes: MOST_BYTES, mostChars: MOST_CHARS, deadlineMs }));
  }
  try {
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
  const text = sink.text();
  if (text.trim() === "") {
    return { status: "unreadable", reason: `a ${kind.name} without text that can be read` };
  }
  return bounded({ status: "text", text, cut: sink.full });
}

function bounded(read: OfficeText): OfficeText {
  if (read.status === "unreadable" || read.text.length <= MOST_CHARS) return read;
  return { status: "text", text: read.text.slice(0, MOST_CHARS), cut: true };
}
