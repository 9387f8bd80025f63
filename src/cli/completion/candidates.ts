import { Command, type Option } from "commander";
import { BUILT_IN_PARTS } from "../../operations/parts.ts";
import { BUILT_IN_REPORTERS } from "../../operations/reporters.ts";
import { COMMANDS } from "../commands/index.ts";
import { namesOf } from "../parts-help.ts";

/** What only a look at the project tells. */
export interface NamesHere {
  /** Paths of skills, as one would type them. */
  readonly skills: () => Promise<readonly string[]>;
  readonly cases: () => Promise<readonly string[]>;
}

/** What may stand where the last of these words is being typed; nothing: leave it to the shell, which knows files. */
export async function candidates(words: readonly string[], project: NamesHere): Promise<readonly string[]> {
  const typed = words.at(-1) ?? "";
  const [name, ...rest] = words.slice(0, -1);
  if (name === undefined) return starting(typed, [...COMMANDS.map((one) => one.name), "--help", "--version"]);
  const entry = COMMANDS.find((one) => one.name === name);
  if (entry === undefined) return [];
  const command = new Command();
  (await entry.load()).command.define(command);
  const before = rest.at(-1) ?? "";
  const option = command.options.find(({ long, short }) => long === before || short === before);
  if (option?.required === true) return listed(typed, await valuesOf(option, project));
  if (typed.startsWith("-")) return starting(typed, flagsOf(command));
  const [argument] = command.registeredArguments;
  if (argument === undefined) return [];
  if (name === "show") return starting(typed, await project.cases());
  return starting(typed, argument.argChoices ?? (await project.skills()));
}

async function valuesOf(
  { long, argChoices }: Option,
  { skills, cases }: NamesHere,
): Promise<readonly string[]> {
  switch (long) {
    case "--harness":
      return namesOf(BUILT_IN_PARTS.harnesses);
    case "--sandbox":
      return namesOf(BUILT_IN_PARTS.sandboxes);
    case "--transport":
      return namesOf(BUILT_IN_PARTS.judges);
    case "--reporter":
      return BUILT_IN_REPORTERS.map(({ name }) => name);
    case "--case":
      return cases();
    case "--skill":
      return skills();
    default:
      return argChoices ?? [];
  }
}

function flagsOf(command: Command): readonly string[] {
  const shown = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long);
  return [...shown, "--help"].filter((flag) => flag !== undefined && flag !== null);
}

/** After the last comma, where several may be given. */
function listed(typed: string, values: readonly string[]): readonly string[] {
  const head = typed.slice(0, typed.lastIndexOf(",") + 1);
  return starting(
    typed,
    values.map((value) => `${head}${value}`),
  );
}

function starting(typed: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith(typed));
}
