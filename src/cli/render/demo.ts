import { outcomeText, printable } from "../../operations/text.ts";
import type { Example, ExampleOutcome } from "../../operations/demo.ts";
import { printFailure } from "../failure.ts";
import { machineAt } from "../machine.ts";
import type { Terminal } from "../terminal.ts";

export const DEMO_INTRODUCTION = `Assay runs four example skills in clean workspaces, each with evals in a different format.
The agent really reads, writes and runs commands in its sandbox, and every check is really graded. Only the model is played:
what it and the judge "say" comes from examples/demo/. No key, no network, no cost.
A check is decided by code, or by a judge model where it says (judge). One case of decision-record fails on purpose, so
that you see what a failure looks like.
`;

export function exampleHeading({ name, format, operation }: Example): string {
  return operation === "evaluate"
    ? `\n=== ${name}: a skill with ${format} evals\n`
    : `\n=== ${name} again, with the skill (with_skill) and without it (without_skill): does it help?\n`;
}

/** In the checkout the command is not on PATH. */
export function demoOutlook(workspace: string): string {
  return `
Every run, with its transcript and verdicts, is in ${workspace}
  npx assay view ${workspace}    look at them in a browser
Costs are what the scripted replies would have cost; nothing was spent.
Next, on your own skill, with claude or codex (or an API key and --harness builtin):
  npx assay init <skill>     write its first case
  npx assay run <skill>      does it work?
  npx assay bench <skill>    does it help?
`;
}

/** Which example did not work, and all that is known about why. */
export function printExampleFailure(
  { example, errors, leftOut, notes }: Extract<ExampleOutcome, { status: "failed" }>,
  terminal: Terminal,
): void {
  const command = example.operation === "evaluate" ? "run" : "bench";
  terminal.err(`error: the demo itself failed for assay ${command} ${example.name}\n`);
  for (const { trialId, outcome } of leftOut)
    terminal.err(`  ${printable(`${trialId}: ${outcomeText(outcome)}`).replaceAll("\n", "\n    ")}\n`);
  const { note } = machineAt(terminal);
  notes.forEach(note);
  for (const error of errors) printFailure(error, terminal);
}
