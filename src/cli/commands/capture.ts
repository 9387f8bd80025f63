import { join, resolve } from "node:path";
import { secretMask } from "../../lib/secret-mask.ts";
import { projectFolder, suiteFolderName } from "../../store/layout.ts";
import type { CliCommand } from "../command.ts";
import { captureFiles, ensureFree } from "../../operations/grade/capture-files.ts";
import { captureOnce } from "../../operations/grade/capture-once.ts";
import { invocationSuite } from "../../operations/grade/invocation-suite.ts";
import { defineSomeRunOptions } from "../../operations/grade/some-run-options.ts";
import { interruptible } from "../interrupt.ts";
import { textOption } from "../options/targets.ts";
import { positive, wholeNumber } from "../options/numbers.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { secretsOf } from "../../engine/secrets.ts";
import type { Terminal } from "../terminal.ts";

const RUN_OPTIONS = [
  "--harness",
  "--model",
  "--timeout",
  "--sandbox",
  "--max-turns",
  "--permission-mode",
  "--allowed-tools",
  "--mcp",
  "--agent-arg",
  "--sync-tasks",
  "--script",
  "--command",
  "--workspace",
];

/** Runs a skill once, by the same machinery as every trial, and keeps what it put out. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "SKILL.md, skill directory or command file")
      .argument("[args...]", "what to call the skill with, after --")
      .option("--out <file>", "where to keep it (default: captures/<skill>.txt among the results)")
      .option("--force", "replace an earlier capture");
    defineSomeRunOptions(definition, RUN_OPTIONS);
    definition
      .option("--max-cost <usd>", "stop before the agent costs more", positive)
      .option("--max-tokens <n>", "stop before the agent uses more tokens", wholeNumber(1))
      .addHelpText(
        "after",
        `
Exit codes: 0 kept, 1 the agent did not finish its work, 2 wrong input, 3 the run could not be made.

Examples:
  assay capture skills/find-venues -- "Cupertino, CA" --count 5
  assay grade --output .assay/captures/find-venues.txt --skill skills/find-venues`,
      );
  },
  async run({ args, options: raw, terminal }) {
    const [path, words] = args as [string, string[]];
    const suite = await invocationSuite(resolve(terminal.cwd, path), words);
    const files = captureFiles(outputPath(raw, suite.name, terminal));
    await ensureFree(files, raw["force"] === true);
    const mask = secretMask(secretsOf(terminal.env));
    return interruptible(
      terminal,
      (signal) => captureOnce({ suite, words, files, raw, mask, terminal }, signal),
      "interrupted: nothing is kept (again to end at once)",
    );
  },
};

function outputPath(raw: Readonly<Record<string, unknown>>, skill: string, terminal: Terminal): string {
  const out = textOption(raw["out"]);
  if (out !== null) return resolve(terminal.cwd, out);
  const { captures } = projectFolder(resultsFolder(raw, terminal));
  return join(captures, `${suiteFolderName(skill)}.txt`);
}
