import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { styleText } from "node:util";
import type { Diagnostic, Location } from "../../domain/diagnostic.ts";
import { printable } from "../../lib/printable.ts";

interface RenderOptions {
  readonly decorated: boolean;
  readonly cwd: string;
}

/** One block per diagnostic: `file:line:column severity code message`, the hint, and on a terminal the line itself. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  return diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, options)).join("");
}

function renderDiagnostic(diagnostic: Diagnostic, options: RenderOptions): string {
  const { severity, message, code, at, hint } = diagnostic;
  const paint = painter(options.decorated);
  const place = at === null ? "" : `${paint("cyan", placeText(at, options.cwd))} `;
  const word = paint(severity === "error" ? "red" : "yellow", severity);
  const lines = [`${place}${word}: ${printable(message)} ${paint("dim", `[${code}]`)}`];
  if (options.decorated && at !== null) lines.push(...codeFrame(at, paint));
  if (hint !== null) lines.push(`  ${paint("dim", "hint:")} ${printable(hint)}`);
  return `${lines.join("\n")}\n`;
}

export function placeText(at: Location, cwd: string): string {
  const short = relative(cwd, at.file);
  const file = short === "" || short.startsWith("..") ? at.file : short;
  return `${printable(file)}:${at.line}:${at.column}`;
}

type Paint = (style: "red" | "yellow" | "cyan" | "dim" | "bold" | "green", text: string) => string;

export function painter(decorated: boolean): Paint {
  return decorated ? (style, text) => styleText(style, text) : (_style, text) => text;
}

/** The line in question, cut to what fits, with a mark under the column. */
function codeFrame(at: Location, paint: Paint): string[] {
  const line = lineOf(at);
  if (line === null || line.trim() === "") return [];
  const from = Math.max(0, at.column - 61);
  const shown = printable(line.slice(from, from + 100));
  const number = String(at.line);
  const gutter = " ".repeat(number.length);
  return [
    paint("dim", `  ${number} | `) + shown,
    paint("dim", `  ${gutter} | `) + " ".repeat(Math.max(0, at.column - 1 - from)) + paint("red", "^"),
  ];
}

function lineOf(at: Location): string | null {
  try {
    return readFileSync(at.file, "utf8").split("\n")[at.line - 1]?.trimEnd() ?? null;
  } catch {
    return null;
  }
}
