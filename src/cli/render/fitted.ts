import { wrap } from "../../operations/text.ts";
import type { Terminal } from "../terminal.ts";

type Reader = Pick<Terminal, "decorated" | "screen" | "columns">;

/** Where lines are broken; null: nowhere, because a file or a program gets them. */
export function widthOf({ decorated, screen, columns }: Reader, to: "out" | "err"): number | null {
  return decorated[to] || screen !== undefined ? columns : null;
}

/** Lines for a person, broken between words where a terminal ends; logs keep them whole. */
export function fitted(text: string, terminal: Reader, to: "out" | "err"): string {
  return brokenAt(text, widthOf(terminal, to));
}

/** The rest of a line that is too long is indented under it, by two unless `hanging` says how far; null: there is no width. */
export function brokenAt(text: string, columns: number | null, hanging?: number): string {
  if (columns === null) return text;
  return text
    .split("\n")
    .flatMap((line) => wrap(line, columns - 1, hanging ?? (/^ */.exec(line)?.[0].length ?? 0) + 2))
    .join("\n");
}
