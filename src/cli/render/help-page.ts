import { textWidth } from "../../operations/text.ts";

/** A help text whose lines are broken between words; explanations stay under their column, and commands can still be copied. */
export function helpPage(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (textWidth(line) < columns ? [line] : broken(line, columns - 1)))
    .join("\n");
}

function broken(line: string, columns: number): readonly string[] {
  const [, indent = "", rest = ""] = /^( *)(.*)$/.exec(line) ?? [];
  const [, term, explained] = /^(\S.*? {2,})(\S.*)$/.exec(rest) ?? [];
  if (COMMAND.test(rest)) return brokenCommand(indent, rest, columns);
  if (term === undefined || explained === undefined)
    return filled(rest, { first: indent, further: `${indent}  `, columns });
  const first = indent + term;
  if (columns - first.length >= LEAST_COLUMN)
    return filled(explained, { first, further: " ".repeat(first.length), columns });
  const below = `${indent}      `;
  return [first.trimEnd(), ...filled(explained, { first: below, further: below, columns })];
}

/** An example to copy, with the variables it sets. */
const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:assay|claude|npx|source) /;

/** A narrower column of words is hard to read. */
const LEAST_COLUMN = 24;

/** A comment behind it comes first, then the command in lines that a shell joins. */
function brokenCommand(indent: string, line: string, columns: number): readonly string[] {
  const [, command = line, comment] = /^(.*?)(?: +(# .*))?$/.exec(line) ?? [];
  const about =
    comment === undefined ? [] : filled(comment, { first: indent, further: `${indent}# `, columns });
  const lines = filled(command, { first: indent, further: `${indent}    `, columns: columns - 2 });
  return [...about, ...lines.map((part, at) => (at < lines.length - 1 ? `${part} \\` : part))];
}

interface Frame {
  /** What the first line begins with, and every other. */
  readonly first: string;
  readonly further: string;
  readonly columns: number;
}

function filled(text: string, { first, further, columns }: Frame): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of wordsOf(text, columns - textWidth(further))) {
    if (!isEmpty && textWidth(line + word) > columns) {
      lines.push(line);
      line = further;
      isEmpty = true;
    }
    line += isEmpty ? word.trimStart() : word;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Each word with the space before it; a list that is longer than a line is broken behind its commas. */
function wordsOf(text: string, room: number): readonly string[] {
  return text
    .split(/(?<=\S)(?= +\S)/)
    .flatMap((word) => (textWidth(word.trim()) > room ? word.split(/(?<=[,|])/) : [word]));
}
