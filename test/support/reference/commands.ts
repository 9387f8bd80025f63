import { type Argument, Command, type Option } from "commander";
import { COMMAND_GROUPS, COMMANDS, type CommandEntry } from "../../../src/cli/commands/index.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { cell } from "./source.ts";

/** `docs/reference/commands.md`, from the definitions that the command line itself reads. */
export async function commandsPage(): Promise<string> {
  const sections: string[] = [];
  for (const group of COMMAND_GROUPS) {
    sections.push(`## ${group}`);
    for (const entry of COMMANDS.filter((one) => one.group === group)) sections.push(await section(entry));
  }
  return `${HEAD}\n${sections.join("\n\n")}\n`;
}

const HEAD = `# Every command and every flag

Generated from the definitions that the command itself reads: \`npm run reference\` writes this page, and a test fails when it is out of date.
\`assay COMMAND --help\` prints the same. Words such as *arm* or *trial* are in the [glossary](../glossary.md).
`;

async function section(entry: CommandEntry): Promise<string> {
  let shown = "";
  const command = new Command(`assay ${entry.name}`).configureOutput({ writeOut: (text) => (shown += text) });
  (await entry.load()).command.define(command);
  command.outputHelp();
  const after = shown.slice(shown.indexOf(command.helpInformation()) + command.helpInformation().length);
  const { visibleArguments, visibleOptions } = {
    visibleArguments: command.registeredArguments,
    visibleOptions: command.options.filter(({ hidden }) => !hidden),
  };
  return [
    `### assay ${entry.name}`,
    `${entry.summary[0]?.toUpperCase()}${entry.summary.slice(1)}.`,
    `\`${`assay ${entry.name} ${command.usage()}`.trim()}\``,
    visibleArguments.length > 0 && table("argument", visibleArguments.map(argumentRow)),
    ...byGroup(visibleOptions),
    after.trim() !== "" && `\`\`\`text\n${after.trim()}\n\`\`\``,
  ]
    .filter((part) => part !== false)
    .join("\n\n");
}

function byGroup(options: readonly Option[]): readonly string[] {
  const groups = groupBy(options, headingOf);
  return [...groups].map(([heading, members]) => table(heading, members.map(optionRow)));
}

function headingOf({ helpGroupHeading }: Option): string {
  return (helpGroupHeading ?? "Options:").replace(/:$/, "").toLowerCase();
}

function table(head: string, rows: readonly string[]): string {
  return [`| ${head} | |`, "|---|---|", ...rows].join("\n");
}

function argumentRow(argument: Argument): string {
  const choices = argument.argChoices === undefined ? "" : ` (${argument.argChoices.join(", ")})`;
  return `| \`${argument.name()}\` | ${cell(argument.description + choices)} |`;
}

function optionRow({ flags, description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? "" : `; one of ${argChoices.join(", ")}`;
  const otherwise = isShown(defaultValue) ? ` (default: ${String(defaultValue)})` : "";
  return `| \`${flags}\` | ${cell(`${description}${choices}${otherwise}`)} |`;
}

function isShown(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
