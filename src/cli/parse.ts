import { Command, CommanderError } from "commander";
import type { CliCommand } from "./command.ts";
import type { CommandEntry } from "./commands/index.ts";
import type { Config } from "../engine/config.ts";
import type { Terminal } from "./terminal.ts";

/** Lets commander read the words of one command; its complaints are the user's mistakes and exit 2. */
export async function parseAndRun(call: {
  entry: CommandEntry;
  definition: CliCommand;
  args: readonly string[];
  terminal: Terminal;
}): Promise<number> {
  const { entry, definition, args, terminal } = call;
  let exitCode = 0;
  const command = new Command(`assay ${entry.name}`)
    .description(entry.summary)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      outputError: (text, write) => write(`${text}  hint: assay ${entry.name} --help lists what it takes\n`),
    });
  definition.define(command);
  command.action(async () => {
    const options = await withConfig(command, terminal);
    exitCode = await definition.run({ args: command.processedArgs, options, terminal });
  });
  try {
    await command.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}

/** What the project's configuration says where the user said nothing; only for commands that run or look at results. */
async function withConfig(command: Command, terminal: Terminal): Promise<Record<string, unknown>> {
  const options: Record<string, unknown> = command.opts();
  if (!command.options.some(({ long }) => long === "--config" || long === "--workspace")) return options;
  const { readConfig } = await import("../engine/config.ts");
  const config = await readConfig(options["config"], terminal);
  const said = (name: string) => !["default", undefined].includes(command.getOptionValueSource(name));
  for (const [name, value] of Object.entries(flagValues(config, terminal))) {
    if (value !== null && !said(name)) options[name] = value;
  }
  return { ...options, configured: config };
}

/** The settings no eval file speaks of; the others come behind the eval files, in their own places. */
function flagValues(config: Config, { env }: Terminal): Record<string, unknown> {
  return {
    concurrency: config.concurrency,
    sandbox: config.sandbox,
    workspace: (env["ASSAY_WORKSPACE"] ?? "").trim() === "" ? config.workspace : null,
    reporter: config.reporter,
    allowMissing: config.allow_missing,
    minPassRate: config.min_pass_rate,
    maxCost: config.max_cost,
    maxTokens: config.max_tokens,
  };
}
