import { textWidth } from "../../operations/text.ts";

/** A help text whose lines are broken between words; explanations stay under their column, and commands can still be copied. */
export function helpPage(text: string, columns: number): string {
  return paragraphs(text, columns)
    .flatMap((line) => (textWidth(line) < columns ? [line] : broken(line, columns - 1)))
    .join("\n");
}

/** Sentences that were broken for another width become one line again where one of their lines is too long for this one. */
function paragraphs(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let isJoining = false;
  for (const line of text.split("\n")) {
    const before = lines.at(-1) ?? "";
    isJoining =
      PROSE.test(before) &&
      !before.endsWith(".") &&
      PROSE.test(line) &&
      (isJoining || before.length >= columns);
    if (isJoining) lines.splice(-1, 1, `${before} ${line}`);
    else lines.push(line);
  }
  return lines;
}

/** Neither indented nor a heading. */
const PROSE = /^\S.*[^:]$/;

function broken(line: string, columns: number): readonly string[] {
  const [, indent = "", rest = ""] = /^( *)(.*)$/.exec(line) ?? [];
  const [, term, explained] = /^(\S.*? {2,})(\S.*)$/.exec(rest) ?? [];
  if (indent !== "" && COMMAND.test(rest)) return brokenCommand(indent, rest, columns);
  if (term === undefined || explained === undefined)
    return filled(wordsOf(rest, columns), {
      first: indent,
      further: indent === "" ? "" : `${indent}  `,
      columns,
    });
  const first = indent + term;
  if (columns - first.length >= LEAST_COLUMN)
    return filled(wordsOf(explained, columns - first.length), {
      first,
      further: " ".repeat(first.length),
      columns,
    });
  const below = `${indent}      `;
  return [
    first.trimEnd(),
    ...filled(wordsOf(explained, columns - below.length), { first: below, further: below, columns }),
  ];
}

/** An example to copy, with the variables it sets. */
const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:assay|claude|npx|source) /;

/** A narrower column of words is hard to read. */
const LEAST_COLUMN = 24;

/** A comment behind it comes first, then the command in lines that a shell joins. */
function brokenCommand(indent: string, line: string, columns: number): readonly string[] {
  const [, command = line, comment] = /^(.*?)(?: +(# .*))?$/.exec(line) ?? [];
  const about =
    comment === undefined
      ? []
      : filled(wordsOf(comment, columns), { first: indent, further: `${indent}# `, columns });
  const lines = filled(command.match(SHELL_WORDS) ?? [], {
    first: indent,
    further: `${indent}    `,
    columns: columns - 2,
  });
  return [...about, ...lines.map((part, at) => (at < lines.length - 1 ? `${part} \\` : part))];
}

/** Each with the space before it; what is quoted stays whole, because a break would become part of it. */
const SHELL_WORDS = /\s*(?:[^\s"']|"[^"]*"|'[^']*')+/g;

interface Frame {
  /** What the first line begins with, and every other. */
  readonly first: string;
  readonly further: string;
  readonly columns: number;
}

function filled(words: readonly string[], { first, further, columns }: Frame): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
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
