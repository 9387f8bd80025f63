import { plural, printable, shownPath } from "../../operations/text.ts";
import type { DraftedCase, SessionProposal } from "../../operations/propose-from-session.ts";
import type { Terminal } from "../terminal.ts";

/** All of a case that was made of a session, for a person to read before it is written. */
export function draftedCaseText({ name, prompt, checks, expectations, files, notes }: DraftedCase): string {
  const lines = [
    `case ${name}`,
    ...prompt.flatMap((turn, index) => [
      `  prompt${prompt.length > 1 ? ` ${index + 1}` : ""}`,
      ...indented(turn),
    ]),
    ...files.flatMap(({ name: file, content }) => [
      `  file ${file} (${plural(content.length, "character")})`,
      ...indented(content),
    ]),
    ...checks.map(
      ({ type, text, ...rest }) =>
        `  check ${type} ${Object.values(rest)
          .map((value) => JSON.stringify(value))
          .join(" ")}: ${text}`,
    ),
    ...expectations.map((text) => `  judged: ${text}`),
    ...notes.map((note) => `  note: ${note}`),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function indented(text: string): readonly string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) => `    | ${line}`);
  return lines.length > MOST_LINES ? [...shown, `    (${lines.length - MOST_LINES} more lines)`] : shown;
}

const MOST_LINES = 40;

/** The paths go to stdout, one on a line. */
export function sessionReport({ written, file }: SessionProposal, { out, err, cwd }: Terminal): void {
  if (written === null)
    return err(`nothing was written; --yes writes it to ${printable(shownPath(file, cwd))}\n`);
  for (const path of written) out(`${printable(shownPath(path, cwd))}\n`);
}
