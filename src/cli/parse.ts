import { Command, CommanderError } from "commander";
import type { Config } from "../operations/config.ts";
import type { CliCommand, CommandCall } from "./command.ts";
import type { CommandEntry } from "./commands/index.ts";
import { flagElsewhere, respelled } from "./flag-words.ts";
import { machineAt } from "./machine.ts";
import { givenOf } from "./options.ts";
import { fitted } from "./render/fitted.ts";
import { helpPage } from "./render/help-page.ts";
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
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      // Nothing but help is printed there. Lines are broken below, examples and all.
      writeOut: (text) => terminal.out(helpPage(text, terminal.columns)),
      writeErr: (text) => terminal.err(fitted(text, terminal, "err")),
      getOutHelpWidth: () => Infinity,
      getErrHelpWidth: () => Infinity,
      outputError: (text, write) => write(withHint(text, command)),
    });
  definition.define(command);
  command.action(async () => {
    exitCode = await definition.run(callOf(command, { words: [entry.name, ...args], terminal }));
  });
  try {
    await command.parseAsync(respelled(args, command), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}

/** Another tool's flag is pointed at ours; our guess at a misspelling would only mislead. */
function withHint(text: string, command: Command): string {
  const flag = /unknown option '(--[\w-]+)/.exec(text)?.[1] ?? "";
  const elsewhere = flagElsewhere(flag);
  if (elsewhere !== null) return `error: unknown option '${flag}'\n  hint: ${elsewhere}\n`;
  if (text.includes("missing required argument"))
    return `${text}  hint: usage: ${command.name()} ${command.usage()}; --help explains it\n`;
  return `${text}  hint: ${command.name()} --help lists what it takes\n`;
}

function callOf(command: Command, { words, terminal }: Pick<CommandCall, "words" | "terminal">): CommandCall {
  const options: Record<string, unknown> = command.opts();
  const machine = machineAt(terminal);
  let config: Promise<Config> | null = null;
  const read = async (): Promise<Config> => {
    const { readConfig } = await import("../operations/config.ts");
    const named = options["config"];
    return readConfig(typeof named === "string" && named.trim() !== "" ? named : null, machine);
  };
  return {
    words,
    args: command.processedArgs,
    options,
    given: (table) => givenOf(command, table),
    terminal,
    machine,
    config: () => (config ??= read()),
  };
}
