import type { TextSink } from "./text-sink.ts";
import type { Archive } from "./unzip.ts";
import { attribute, xmlTokens } from "./xml.ts";

/** The paragraphs, with marks for headings, list entries and table cells; then headers, footers, notes and comments. */
export function docxText(archive: Archive, sink: TextSink): void {
  const others = archive.names.filter((name) =>
    /^word\/(?:header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/.test(name),
  );
  for (const name of ["word/document.xml", ...others.toSorted()]) {
    const lines = paragraphs(archive.read(name)?.toString("utf8") ?? "");
    if (name !== "word/document.xml" && lines.length > 0) sink.line(`# (${name.slice(5, -4)})`);
    for (const line of lines) sink.line(line);
    if (sink.full) return;
  }
}

function paragraphs(xml: string): readonly string[] {
  const lines: string[] = [];
  let text = "";
  let mark = "";
  let inText = false;
  /** The cells of the row so far; null outside a table. */
  let cells: string[] | null = null;
  let cell: string[] = [];
  for (const token of xmlTokens(xml)) {
    if (token.kind === "text") {
      if (inText) text += token.text;
      continue;
    }
    const opens = token.kind === "open";
    if (token.name === "t") inText = opens;
    else if (opens && token.name === "tab") text += "\t";
    else if (opens && (token.name === "br" || token.name === "cr")) text += "\n";
    else if (opens && token.name === "pStyle") mark = headingMark(attribute(token.attributes, "val") ?? "");
    else if (opens && token.name === "numPr" && mark === "") mark = "- ";
    else if (token.name === "tr") {
      if (!opens && cells !== null) lines.push(cells.join(" | "));
      cells = opens ? [] : null;
    } else if (!opens && token.name === "tc") {
      cells?.push(cell.join(" "));
      cell = [];
    } else if (!opens && token.name === "p") {
      if (text.trim() !== "") (cells === null ? lines : cell).push(`${mark}${text}`);
      text = "";
      mark = "";
    }
  }
  return lines;
}

function headingMark(style: string): string {
  const level = /^Heading\s*([1-9])$/i.exec(style)?.[1];
  if (level !== undefined) return `${"#".repeat(Number(level))} `;
  return /^Title$/i.test(style) ? "# " : "";
}
