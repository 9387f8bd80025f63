import { clip, type Paint, painter, printable, textWidth } from "../../operations/text.ts";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Diagnostic, Location } from "../../domain/diagnostic.ts";
import type { Terminal } from "../terminal.ts";
import { fitted } from "./fitted.ts";

/** One block per diagnostic: `file:line:column severity: message [code]`, on a terminal the line itself, then the hint. */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  terminal: Pick<Terminal, "cwd" | "decorated" | "screen" | "columns">,
  to: "out" | "err",
): string {
  const isDecorated = terminal.decorated[to];
  const paint = painter(isDecorated);
  const lines = isDecorated ? lineReader() : null;
  const fit = (line: string): string => fitted(`${line}\n`, terminal, to);
  return diagnostics
    .map((diagnostic) => {
      const { severity, message, code, at, hint } = diagnostic;
      const place = at === null ? "" : `${paint("cyan", placeText(at, terminal.cwd))} `;
      const word = paint(severity === "error" ? "red" : "yellow", severity);
      const head = fit(`${place}${word}: ${onOneLine(message)} ${paint("dim", `[${code}]`)}`);
      const frame =
        at === null || lines === null ? "" : codeFrame(lines(at), at, { paint, columns: terminal.columns });
      return `${head}${frame}${hint === null ? "" : fit(`  ${paint("dim", "hint:")} ${onOneLine(hint)}`)}`;
    })
    .join("");
}

function placeText(at: Location, cwd: string): string {
  const short = relative(cwd, at.file);
  const file = short === "" || short.startsWith("..") ? at.file : short;
  return `${onOneLine(file)}:${at.line}:${at.column}`;
}

/** A line break in what a file says must not look like a further finding. */
function onOneLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n");
}

/** The line in question, cut to what fits, with a mark under the column. */
function codeFrame(
  line: string | null,
  at: Location,
  { paint, columns }: { paint: Paint; columns: number },
): string {
  if (line === null || line.trim() === "") return "";
  const number = String(at.line);
  const room = Math.max(LEAST_FRAME, Math.min(100, columns - number.length - 6));
  const from = Math.max(0, at.column - 1 - Math.floor(room * 0.6));
  const before = shown(line.slice(from, at.column - 1));
  const after = clip(shown(line.slice(at.column - 1)), room - textWidth(before));
  const bar = (text: string) => paint("dim", `  ${text.padStart(number.length)} | `);
  return `${bar(number)}${before}${after}\n${bar("")}${" ".repeat(before.length)}${paint("red", "^")}\n`;
}

const LEAST_FRAME = 20;

function shown(text: string): string {
  return printable(text.replaceAll("\t", "  "));
}

/** Gives lines of files; findings come file by file, so that keeping one is enough. */
function lineReader(): (at: Location) => string | null {
  let file: string | null = null;
  let lines: readonly string[] = [];
  return (at) => {
    if (at.file !== file) {
      file = at.file;
      lines = linesOf(file);
    }
    return lines[at.line - 1]?.trimEnd() ?? null;
  };
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
