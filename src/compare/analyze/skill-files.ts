import { findQuote, quoteWeight } from "../../grade/evidence/find-quote.ts";

/** The text of one version of a skill. */
export interface SkillFiles {
  /** Where the version lies or lay, for people. */
  readonly path: string;
  /** SKILL.md first. */
  readonly files: readonly SkillFile[];
}

export interface SkillFile {
  /** Relative to the skill, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** As it is shown: every line with its number, files until the room is used up. */
export function numberedText({ files }: SkillFiles, mostChars: number): string {
  let left = mostChars;
  const shown: string[] = [];
  for (const { path, text } of files) {
    const lines = text.split(/\r?\n/).map((line, index) => `${String(index + 1).padStart(4)}| ${line}`);
    const fitting: string[] = [];
    for (const line of lines) {
      if (left < line.length) break;
      left -= line.length + 1;
      fitting.push(line);
    }
    if (fitting.length === 0) break;
    const cut = fitting.length < lines.length ? `\n(lines from ${fitting.length + 1} on are not shown)` : "";
    shown.push(`file ${JSON.stringify(path)}\n${fitting.join("\n")}${cut}`);
  }
  return shown.join("\n\n");
}

export type CitedLine =
  | { readonly ok: true; readonly path: string; readonly line: number }
  | { readonly ok: false; readonly problem: string };

/** The quotation must stand in the file. One that stands at another line than cited is put where it stands. */
export function citeLine(
  { files }: SkillFiles,
  cited: { readonly file: string; readonly line: number; readonly quote: string },
): CitedLine {
  const name = cited.file.trim().replace(/^\.\//, "");
  const file =
    files.find(({ path }) => path === name) ?? (files.length === 1 && name === "" ? files[0] : undefined);
  if (file === undefined)
    return { ok: false, problem: `the skill has no file ${JSON.stringify(cited.file)}` };
  if (quoteWeight(cited.quote) === 0)
    return { ok: false, problem: "a quote of the skill without a letter or digit" };
  const lines = file.text.split(/\r?\n/);
  const isLine = cited.line >= 1 && cited.line <= lines.length;
  const here = lines.slice(cited.line - 1, cited.line + 2).join("\n");
  const found =
    (isLine ? findQuote(cited.quote, [{ text: here, line: cited.line }]) : null) ??
    findQuote(cited.quote, [{ text: lines.join("\n"), line: 1 }]);
  if (found === null) {
    return {
      ok: false,
      problem: `a quote that is not in ${file.path}: copy it character for character`,
    };
  }
  return { ok: true, path: file.path, line: found.line };
}
