import { printable } from "../../operations/text.ts";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Diagnostic, Location } from "../../domain/diagnostic.ts";
import { type Paint, painter } from "./paint.ts";

interface RenderOptions {
  readonly decorated: boolean;
  readonly cwd: string;
}

/** One block per diagnostic: `file:line:column severity: message [code]`, on a terminal the line itself, then the hint. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const paint = painter(options.decorated);
  const lines = options.decorated ? lineReader() : null;
  return diagnostics
    .map((diagnostic) => {
      const { severity, message, code, at, hint } = diagnostic;
      const place = at === null ? "" : `${paint("cyan", placeText(at, options.cwd))} `;
      const word = paint(severity === "error" ? "red" : "yellow", severity);
      const head = `${place}${word}: ${onOneLine(message)} ${paint("dim", `[${code}]`)}\n`;
      const frame = at === null || lines === null ? "" : codeFrame(lines(at), at, paint);
      return `${head}${frame}${hint === null ? "" : `  ${paint("dim", "hint:")} ${onOneLine(hint)}\n`}`;
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
function codeFrame(line: string | null, at: Location, paint: Paint): string {
  if (line === null || line.trim() === "") return "";
  const from = Math.max(0, at.column - 61);
  const before = shown(line.slice(from, at.column - 1));
  const after = shown(line.slice(at.column - 1, from + 100));
  const number = String(at.line);
  const bar = (text: string) => paint("dim", `  ${text.padStart(number.length)} | `);
  return `${bar(number)}${before}${after}\n${bar("")}${" ".repeat(before.length)}${paint("red", "^")}\n`;
}

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
