import { COMMANDS, type CommandEntry } from "./commands/index.ts";
import { EXIT } from "./exit.ts";
import { rootHelp } from "./help.ts";
import { VERSION } from "../operations/version.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Runs one command line and answers its exit code. Never throws. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    const { printFailure } = await import("./failure.ts");
    return printFailure(error, terminal);
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [word, ...rest] = argv;
  switch (word) {
    case "--version":
    case "-V":
    case "version":
      terminal.out(`${VERSION}\n`);
      return EXIT.ok;
    case undefined:
      terminal.err(await rootPage(terminal));
      return EXIT.wrongInput;
    case "--help":
    case "-h":
      terminal.out(await rootPage(terminal));
      return EXIT.ok;
    case "help":
      return rest[0] === undefined ? dispatch(["--help"], terminal) : dispatch([rest[0], "--help"], terminal);
    default: {
      const entry = COMMANDS.find((command) => command.name === word);
      return entry === undefined ? unknownCommand(word, terminal) : runCommand(entry, rest, terminal);
    }
  }
}

async function rootPage({ columns }: Terminal): Promise<string> {
  const { helpPage } = await import("./render/help-page.ts");
  return helpPage(rootHelp(COMMANDS), columns);
}

async function runCommand(entry: CommandEntry, args: readonly string[], terminal: Terminal): Promise<number> {
  const [{ parseAndRun }, { command }] = await Promise.all([import("./parse.ts"), entry.load()]);
  return parseAndRun({ entry, definition: command, args, terminal });
}

async function unknownCommand(word: string, terminal: Terminal): Promise<number> {
  const [{ nearest, printable }, { commandElsewhere }] = await Promise.all([
    import("../operations/text.ts"),
    import("./command-words.ts"),
  ]);
  if (word.startsWith("-")) {
    const meant = nearest(word, ["--help", "--version"]) ?? "--help";
    terminal.err(
      `error: unknown option ${printable(JSON.stringify(word))}\n  hint: did you mean assay ${meant}?\n`,
    );
    return EXIT.wrongInput;
  }
  const near = nearest(
    word,
    COMMANDS.map((command) => command.name),
  );
  const guess = near === null ? "assay --help lists the commands" : `did you mean assay ${near}?`;
  const hint = commandElsewhere(word) ?? guess;
  terminal.err(`error: there is no command ${printable(JSON.stringify(word))}\n  hint: ${hint}\n`);
  return EXIT.wrongInput;
}
