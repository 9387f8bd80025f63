import { printable } from "../operations/text.ts";
import { homedir } from "node:os";
import type { Machine, Note, Question } from "../machine.ts";
import { redirectedTo } from "./redirected.ts";
import { renderDiagnostics } from "./render/diagnostics.ts";
import { aboutToRunText } from "./render/about-to-run.ts";
import type { Terminal } from "./terminal.ts";

/** This machine, with the person at the terminal to note things and to answer questions. */
export function machineAt(terminal: Terminal): Machine {
  const { env, cwd } = terminal;
  return {
    env,
    cwd,
    home: env["HOME"] || homedir(),
    now: () => new Date(),
    logs: redirectedTo(),
    note: (note) => terminal.err(noteText(note, terminal)),
    consent: async (question) => (terminal.interactive ? ask(question, terminal) : null),
  };
}

function noteText(note: Note, { decorated, cwd }: Terminal): string {
  if (typeof note === "string") return `note: ${printable(note)}\n`;
  if ("kind" in note) return aboutToRunText(note);
  return renderDiagnostics([note], { decorated: decorated.err, cwd });
}

/** Shows all of what would be agreed to, then asks. */
async function ask({ scripts }: Question, terminal: Terminal): Promise<boolean> {
  for (const { name, caseId, at, text } of scripts) {
    terminal.err(`\n${printable(`${name} of ${caseId} (${at.file}:${at.line})`)}, the whole script:\n`);
    for (const line of printable(text).split("\n")) terminal.err(`  | ${line}\n`);
  }
  const answer = await terminal.ask(`Run ${scripts.length === 1 ? "this script" : "these scripts"}? [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}
