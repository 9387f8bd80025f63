/** How many columns of a terminal a line takes: East Asian letters and emoji two, marks on a letter and colors none. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text.replaceAll(COLOR, ""))) width += graphemeWidth(segment);
  return width;
}

/** At most `columns` wide; what is cut off is shown as an ellipsis. */
export function clip(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns < 1 ? "" : `${kept.trimEnd()}…`;
}

/** Padded with spaces to `columns`. */
export function padTo(text: string, columns: number, side: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, columns - textWidth(text)));
  return side === "left" ? text + space : space + text;
}

/**
 * Lines of at most `columns`, broken between words; a word that is longer than a line stays whole, so that paths and commands can be
 * copied. Lines after the first are indented by `hanging` columns.
 */
export function wrap(text: string, columns: number, hanging = 0): string[] {
  const lines: string[] = [];
  const indent = " ".repeat(hanging);
  let line = "";
  // Each word with the space before it, which may set it under another.
  for (const word of text.split(/(?<=\S)(?= +\S)/)) {
    if (line === "" || textWidth(line + word) <= columns) {
      line += word;
      continue;
    }
    lines.push(line);
    line = indent + word.trimStart();
  }
  return [...lines, line];
}

const COLOR = new RegExp(String.raw`\u001B\[[\d;]*m`, "g");
const NARROW = /^[\x20-\x7E]*$/;
const WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function graphemeWidth(grapheme: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]+$/u.test(grapheme)) return 0;
  return WIDE.test(grapheme) || /\p{Emoji_Presentation}|\uFE0F/u.test(grapheme) ? 2 : 1;
}
