import { aboutMoney, plural, printable } from "../operations/text.ts";
import { homedir } from "node:os";
import type { Machine, Note, Question } from "../machine.ts";
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
    get outputs() {
      return terminal.outputs ?? [];
    },
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
async function ask(question: Question, terminal: Terminal): Promise<boolean> {
  const words =
    question.kind === "run-scripts" ? showScripts(question, terminal) : showRepeated(question, terminal);
  return /^y(es)?$/i.test((await terminal.ask(`${words} [y/N] `)).trim());
}

type QuestionOf<K extends Question["kind"]> = Extract<Question, { readonly kind: K }>;

function showScripts({ scripts }: QuestionOf<"run-scripts">, terminal: Terminal): string {
  for (const { name, caseId, at, text } of scripts) {
    terminal.err(`\n${printable(`${name} of ${caseId} (${at.file}:${at.line})`)}, the whole script:\n`);
    for (const line of printable(text).split("\n")) terminal.err(`  | ${line}\n`);
  }
  return `Run ${scripts.length === 1 ? "this script" : "these scripts"}?`;
}

function showRepeated({ repeated }: QuestionOf<"repeat-runs">, terminal: Terminal): string {
  terminal.err("\nThese runs are finished and would be made and paid for again:\n");
  for (const { suite, reason, trials, costUsd } of repeated)
    terminal.err(printable(`  ${suite}: ${reason}: ${plural(trials, "trial")}${aboutMoney(costUsd)}`) + "\n");
  const count = repeated.reduce((sum, { trials }) => sum + trials, 0);
  return `Run ${plural(count, "trial")} again?`;
}
