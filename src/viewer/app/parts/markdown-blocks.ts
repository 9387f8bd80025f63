/** Markdown as data. Raw HTML is text like any other. */
export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph" | "quote"; readonly text: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly ListItem[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "rule" };

interface ListItem {
  readonly depth: number;
  readonly text: string;
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([\w+-]*)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const TABLE_LINE = /^\s*\|?[\s:|-]*-[\s:|-]*$/;

export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const lines = text.split(/\r\n|\r|\n/);
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const [block, next] = blockAt(lines, at, line);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(
  lines: readonly string[],
  at: number,
  line: string,
): readonly [MarkdownBlock | null, number] {
  if (line.trim() === "") return [null, at + 1];
  const fence = FENCE.exec(line);
  if (fence !== null) return fenced(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading !== null)
    return [{ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" }, at + 1];
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (line.includes("|") && TABLE_LINE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("|"))
    return table(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  if (/^ {0,3}>/.test(line)) {
    const end = endOf(lines, at, (one) => /^ {0,3}>/.test(one));
    const quoted = lines.slice(at, end).map((one) => one.replace(/^ {0,3}> ?/, ""));
    return [{ kind: "quote", text: quoted.join("\n") }, end];
  }
  const end = endOf(lines, at + 1, (one) => one.trim() !== "" && !startsBlock(one));
  return [{ kind: "paragraph", text: lines.slice(at, end).join("\n") }, end];
}

function startsBlock(line: string): boolean {
  return (
    FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || RULE.test(line) || /^ {0,3}>/.test(line)
  );
}

function endOf(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && belongs(lines[end] ?? "")) end++;
  return end;
}

function fenced(
  lines: readonly string[],
  at: number,
  fence: RegExpExecArray,
): readonly [MarkdownBlock, number] {
  const mark = fence[1] ?? "```";
  const closes = (line: string) =>
    line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] ?? "", "") === "";
  const end = endOf(lines, at + 1, (line) => !closes(line));
  return [{ kind: "code", language: fence[2] ?? "", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function list(lines: readonly string[], at: number): readonly [MarkdownBlock, number] {
  const items: ListItem[] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    const last = items.at(-1);
    if (item !== null) items.push({ depth: Math.floor((item[1] ?? "").length / 2), text: item[3] ?? "" });
    else if (line.trim() !== "" && /^\s{2,}/.test(line) && last !== undefined)
      items[items.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` };
    else break;
  }
  return [{ kind: "list", ordered: /^\s*\d/.test(lines[at] ?? ""), items }, end];
}

function table(lines: readonly string[], at: number): readonly [MarkdownBlock, number] {
  const end = endOf(lines, at + 2, (line) => line.includes("|") && line.trim() !== "");
  const head = cells(lines[at] ?? "");
  return [{ kind: "table", head, rows: lines.slice(at + 2, end).map(cells) }, end];
}

function cells(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, "|"));
}
