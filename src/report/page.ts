import { painter } from "../lib/paint.ts";
import { printable } from "../lib/printable.ts";
import { wrap } from "../lib/text-width.ts";

/** Who reads a page, and on what. */
export interface Look {
  /** Null: lines are as long as they are, for logs and programs that search them. */
  readonly columns: number | null;
  readonly color: boolean;
  /** ✓ ✗ ? in place of letters. */
  readonly symbols: boolean;
  /** For a coding agent, which pays for every word: what failed, why, and what to do. */
  readonly brief: boolean;
}

export const PLAIN: Look = { columns: null, color: false, symbols: false, brief: false };

export type Mark = "passed" | "failed" | "open";

/**
 * A line with a mark, one to be copied, which is never broken, or one with nothing but its text; each is indented by the spaces
 * that it begins with.
 */
export type PageLine =
  | string
  | { readonly mark: Mark; readonly text: string }
  | { readonly mark: null; readonly text: string };

/** The lines as one text, broken between words where there is a width; nothing of the texts can act on a terminal. */
export function pageText(lines: readonly PageLine[], look: Look): string {
  return lines.map((line) => `${shownLine(line, look)}\n`).join("");
}

function shownLine(line: PageLine, look: Look): string {
  const said = printable(typeof line === "string" ? line : line.text);
  const indent = /^ */.exec(said)?.[0].length ?? 0;
  // What an agent says over several lines must not begin one like a verdict of ours.
  const text = said.replaceAll(/(?<=[^\n])\n(?=\S)/g, `\n${" ".repeat(indent + 2)}`);
  if (typeof line !== "string" && line.mark === null) return text;
  const sign = typeof line === "string" ? "" : signOf(line.mark, look);
  const whole = sign === "" ? text : `${" ".repeat(indent)}${sign} ${text.slice(indent)}`;
  const broken =
    look.columns === null ? whole : wrap(whole, look.columns - 1, indent + (sign === "" ? 2 : 4)).join("\n");
  if (typeof line === "string" || sign === "") return broken;
  return broken.replace(sign, () => painter(look.color)(COLORS[line.mark], sign));
}

/** Of one letter; empty: what passed needs none. */
export function signOf(mark: Mark, { symbols }: Pick<Look, "symbols">): string {
  return (symbols ? SYMBOLS : LETTERS)[mark];
}

const SYMBOLS = { passed: "✓", failed: "✗", open: "?" } as const;
const LETTERS = { passed: "", failed: "x", open: "?" } as const;
export const COLORS = { passed: "green", failed: "red", open: "yellow" } as const;
