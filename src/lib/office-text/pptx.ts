import { relationships } from "./relationships.ts";
import type { TextSink } from "./text-sink.ts";
import type { Archive } from "./unzip.ts";
import { xmlTokens } from "./xml.ts";

/** The slides in their order, each with its speaker notes. */
export function pptxText(archive: Archive, sink: TextSink): void {
  for (const [index, path] of slides(archive).entries()) {
    sink.line(`# Slide ${index + 1}`);
    for (const line of paragraphs(archive, path)) sink.line(line);
    const notes = [...relationships(archive, path).values()].find((name) => name.includes("notesSlide"));
    const spoken = notes === undefined ? [] : paragraphs(archive, notes);
    if (spoken.length > 0) sink.line(`Notes: ${spoken.join("\n")}`);
    if (sink.full) return;
  }
}

function slides(archive: Archive): readonly string[] {
  const main = "ppt/presentation.xml";
  const paths = relationships(archive, main);
  const ordered: string[] = [];
  for (const token of xmlTokens(archive.read(main)?.toString("utf8") ?? "")) {
    if (token.kind !== "open" || token.name !== "sldId") continue;
    const path = paths.get(/:id\s*=\s*["']([^"']*)/.exec(token.attributes)?.[1] ?? "");
    if (path !== undefined) ordered.push(path);
  }
  return ordered;
}

function paragraphs(archive: Archive, path: string): readonly string[] {
  const lines: string[] = [];
  let text = "";
  let inText = false;
  for (const token of xmlTokens(archive.read(path)?.toString("utf8") ?? "")) {
    if (token.kind === "text") {
      if (inText) text += token.text;
    } else if (token.name === "t") inText = token.kind === "open";
    else if (token.name === "br" && token.kind === "open") text += "\n";
    else if (token.name === "p" && token.kind === "close") {
      if (text.trim() !== "") lines.push(text);
      text = "";
    }
  }
  return lines;
}
