import { outcomeText, printable } from "../../operations/text.ts";
import type { Example, ExampleOutcome } from "../../operations/demo.ts";
import { printFailure } from "../failure.ts";
import { machineAt } from "../machine.ts";
import type { Terminal } from "../terminal.ts";

export const DEMO_INTRODUCTION = `Assay runs four example skills, each with evals in another format, in clean workspaces with its own small agent.
Recorded replies stand in for the model: the agent really reads, writes and runs commands in its sandbox, and the checks
are really graded, but what the model and the judge "say" comes from examples/demo/. No key, no network, no cost.
One case of decision-record goes wrong on purpose, so that you see what a failure looks like.
`;

export function exampleHeading({ name, format, operation }: Example): string {
  return operation === "evaluate"
    ? `\n=== ${name}: a skill with ${format} evals\n`
    : `\n=== ${name} once more: the same cases with the skill and without it\n`;
}

/** In the checkout the command is not on PATH. */
export function demoOutlook(workspace: string): string {
  return `
Everything that was run, said and decided is in ${workspace}
Amounts of money are what the scripted words would have cost; nothing was spent.
Next: npx assay show <run folder> looks into one run; npx assay run <your skill> and npx assay bench <your skill> do the same
with a real agent (claude or codex), or with a key and --harness builtin.
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
