import { aboutMoney, plural, printable, shownPath } from "../operations/text.ts";
import { homeOf } from "./home.ts";
import type { ConsentQuestion, Machine, Note } from "../machine.ts";
import { diagnosticsText } from "./render/diagnostics.ts";
import { aboutToRunText } from "./render/about-to-run.ts";
import { fitted } from "./render/fitted.ts";
import type { Terminal } from "./terminal.ts";

/** This machine, with the person at the terminal to note things and to answer questions. */
export function machineAt(terminal: Terminal): Machine {
  const { env, cwd } = terminal;
  return {
    env,
    cwd,
    home: homeOf(env),
    now: () => new Date(),
    get outputs() {
      return terminal.outputs ?? [];
    },
    note: (note) => terminal.err(noteText(note, terminal)),
    consent: async (question) => (terminal.interactive ? ask(question, terminal) : null),
  };
}

function noteText(note: Note, terminal: Terminal): string {
  if (typeof note === "string") return fitted(`note: ${printable(note)}\n`, terminal, "err");
  if ("kind" in note) return fitted(aboutToRunText(note), terminal, "err");
  return diagnosticsText([note], terminal, "err");
}

/** Shows all of what would be agreed to, then asks. */
async function ask(question: ConsentQuestion, terminal: Terminal): Promise<boolean> {
  const words = wordsOf(question, terminal);
  return /^y(es)?$/i.test((await terminal.ask(`${words} [y/N] `)).trim());
}

function wordsOf(question: ConsentQuestion, terminal: Terminal): string {
  switch (question.kind) {
    case "run-scripts":
      return showScripts(question, terminal);
    case "run-skills":
      return showFindings(question, terminal);
    case "run-servers":
      return showServers(question, terminal);
    case "repeat-runs":
      return showRepeated(question, terminal);
    case "write-case":
      return `Write it to ${printable(shownPath(question.file, terminal.cwd))}?`;
  }
}

type QuestionOf<K extends ConsentQuestion["kind"]> = Extract<ConsentQuestion, { readonly kind: K }>;

function showScripts({ scripts }: QuestionOf<"run-scripts">, terminal: Terminal): string {
  for (const { name, caseId, at, text } of scripts) {
    terminal.err(`\n${printable(`${name} of ${caseId} (${at.file}:${at.line})`)}, the whole script:\n`);
    for (const line of printable(text).split("\n")) terminal.err(`  | ${line}\n`);
  }
  return `Run ${scripts.length === 1 ? "this script" : "these scripts"}?`;
}

function showFindings({ findings }: QuestionOf<"run-skills">, terminal: Terminal): string {
  terminal.err(`\n${diagnosticsText(findings, terminal, "err")}`);
  return "Run these skills anyway?";
}

function showServers({ commands }: QuestionOf<"run-servers">, terminal: Terminal): string {
  terminal.err("\nThese programs serve skills, and would run inside the sandbox:\n");
  for (const command of commands) terminal.err(`  ${printable(command)}\n`);
  return `Run ${commands.length === 1 ? "it" : "them"}?`;
}

function showRepeated({ repeated }: QuestionOf<"repeat-runs">, terminal: Terminal): string {
  terminal.err("\nThese runs are finished and would be repeated and paid for again:\n");
  for (const { suite, reason, trials, costUsd } of repeated)
    terminal.err(printable(`  ${suite}: ${reason}: ${plural(trials, "trial")}${aboutMoney(costUsd)}`) + "\n");
  const count = repeated.reduce((sum, { trials }) => sum + trials, 0);
  return `Run ${plural(count, "trial")} again?`;
}
