import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readScript } from "../../gateway/sim/read-script.ts";
import { startSim } from "../../gateway/sim/server.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { installed } from "../../engine/installation.ts";
import type { Terminal } from "../terminal.ts";
import { command as bench } from "./bench.ts";
import { command as run } from "./run.ts";

const EXAMPLES = [
  { name: "csv-report", format: "skill-creator" },
  { name: "release-notes", format: "clauditor" },
  { name: "conventional-comments", format: "Skillet" },
  { name: "decision-record", format: "BMad" },
];

/** The main job on one example skill per format: everything is real but the model, which plays a script. */
export const command: CliCommand = {
  define(definition) {
    definition.addHelpText(
      "after",
      "\nNeeds no key, no agent and no network. The skills and their evals are in examples/.",
    );
  },
  async run({ terminal }) {
    const workspace = await mkdtemp(join(tmpdir(), "assay-demo-"));
    terminal.out(INTRODUCTION);
    const failed: string[] = [];
    for (const { name, format } of EXAMPLES) {
      terminal.out(`\n=== ${name}: a skill with ${format} evals\n`);
      const exitCode = await runExample(name, run, { workspace, terminal });
      if (exitCode === EXIT.wrongInput || exitCode === EXIT.unfinished) failed.push(name);
    }
    terminal.out("\n=== csv-report once more: the same cases with the skill and without it\n");
    if ((await runExample("csv-report", bench, { workspace, terminal, words: ["--smoke"] })) !== EXIT.ok)
      failed.push("assay bench");
    terminal.out(`\nEverything that was run, said and decided lies in ${workspace}\n${OUTLOOK}`);
    if (failed.length === 0) return EXIT.ok;
    terminal.err(`error: the demo itself did not work for ${failed.join(", ")}\n`);
    return EXIT.unfinished;
  },
};

const INTRODUCTION = `Assay runs four example skills, each with evals in another format, in clean workspaces with its own small agent.
Recorded replies stand in for the model: the agent really reads, writes and runs commands in its sandbox, and the checks
are really graded, but what the model and the judge "say" comes from examples/demo/. No key, no network, no cost.
One case of decision-record goes wrong on purpose, so that you see what a failure looks like.
`;

/** In the checkout the command is not on PATH. */
const OUTLOOK = `Amounts of money are what the scripted words would have cost; nothing was spent.
Next: npx assay show <run folder> looks into one run; npx assay run <your skill> and npx assay bench <your skill> do the same
with a real agent (claude or codex), or with a key and --harness builtin.
`;

async function runExample(
  name: string,
  definition: CliCommand,
  { workspace, terminal, words = [] }: { workspace: string; terminal: Terminal; words?: readonly string[] },
): Promise<number> {
  const example = installed("examples", name);
  await using sim = await startSim(await readScript(installed("examples", "demo", `${name}.model.yaml`)));
  const env = {
    ...withoutServices(terminal.env),
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: "the-demo-needs-no-key",
  };
  const { parseAndRun } = await import("../parse.ts");
  return await parseAndRun({
    entry: { name: "run", summary: "", group: "Evaluate", load: async () => ({ command: definition }) },
    definition,
    args: [
      relative(terminal.cwd, example) || ".",
      "--harness",
      "builtin",
      "--transport",
      "api",
      "--grading-provider",
      "anthropic",
      "--trust",
      "--workspace",
      workspace,
      ...words,
    ],
    terminal: { ...terminal, env, err: () => {} },
  });
}

/** Whatever the user has configured must not be asked by a demo. */
function withoutServices(env: Terminal["env"]): Record<string, string | undefined> {
  const services = /^(ANTHROPIC|OPENAI|CODEX|GEMINI|GOOGLE|CLAUDE|CLAUDITOR|ASSAY)_/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !services.test(name)));
}
