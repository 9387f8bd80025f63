import { COMMAND_GROUPS, type CommandEntry } from "./commands/index.ts";

/** The page a newcomer reads first. */
export function rootHelp(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 2;
  const groups = COMMAND_GROUPS.map((group) => {
    const lines = commands
      .filter((command) => command.group === group)
      .map((command) => `  ${command.name.padEnd(width)}${command.summary}`);
    return lines.length === 0 ? "" : `${group}:\n${lines.join("\n")}\n\n`;
  });
  return `assay tells you whether your agent skill works, with evidence.

Usage: assay <command> [options]

${groups.join("")}Run "assay <command> --help" for what a command takes, with examples.
Exit codes: 0 all gates met, 1 a gate was missed, 2 wrong input, 3 could not finish, 130 interrupted.
`;
}
