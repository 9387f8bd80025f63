/**
 * Text as it may stand in XML 1.0, between tags or in a quoted attribute; characters that XML cannot hold are left out, and
 * those that hide or reorder text in a terminal are spelled as numbers.
 */
export function xmlText(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "")
    .replaceAll(SPELLED, (char) => ESCAPES[char] ?? `&#${char.charCodeAt(0)};`);
}

const SPELLED = /[&<>"'\t\n\r\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Control characters but tab and line breaks, halves of surrogate pairs, and the two that are no characters. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|[\u{7f}-\u{9f}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
