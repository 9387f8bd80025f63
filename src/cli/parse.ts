import { Command, CommanderError } from "commander";
import type { CliCommand } from "./command.ts";
import type { CommandEntry } from "./commands/index.ts";
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
    exitCode = await definition.run({ args: command.processedArgs, options: command.opts(), terminal });
  });
  try {
    await command.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}
