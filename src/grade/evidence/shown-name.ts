import { printable } from "../../lib/printable.ts";

/** A tool's or sub-agent's name as it stands in lists and headings: an odd one in quotes, so that it passes for nothing else. */
export function shownName(name: string): string {
  if (/^[\w.:/@-]{1,80}$/.test(name)) return name;
  return shownQuoted(name.length <= MOST_CHARS ? name : `${name.slice(0, MOST_CHARS)}…`);
}

/** A file's path likewise, always in quotes. */
export function shownQuoted(text: string): string {
  return printable(JSON.stringify(text).replaceAll(/\s/g, " "));
}

const MOST_CHARS = 80;
