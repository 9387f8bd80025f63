import { type Command, InvalidArgumentError, Option } from "commander";
import { InvalidValue } from "../operations/options.ts";
import type { Given, Row, Table } from "../operations/options.ts";
import { placeOf } from "./option-groups.ts";

export interface OptionWording {
  /** Other words for single options, where this command means something more special. */
  readonly help?: Readonly<Record<string, string>>;
  /** Options that are taken but not shown. */
  readonly hidden?: readonly string[];
  /** A long table is shown by task; false: under the heading that the command gives it. */
  readonly byTask?: boolean;
  /** Options that the command does not work without. */
  readonly mandatory?: readonly string[];
}

/** From this many options on, a reader looks for the task first. */
const LONG_HELP = 20;

/** Offers the options of a table as flags. */
export function defineOptions(
  command: Command,
  table: Table,
  { help = {}, hidden = [], mandatory = [], byTask = true }: OptionWording = {},
): void {
  const rows = Object.entries(table).map(([name, row]) => ({ name, row, ...placeOf(name) }));
  const isLong = byTask && rows.length > LONG_HELP;
  if (isLong) rows.sort((a, b) => a.order - b.order);
  for (const { name, row, heading } of rows) {
    if (row.flag === null) continue;
    const option = optionOf(row, help[name] ?? row.help);
    option.makeOptionMandatory(mandatory.includes(name)).hideHelp(hidden.includes(name));
    if (isLong) option.helpGroup(heading);
    command.addOption(option);
  }
}

/** What the user said of a table, and nothing else: defaults, environment and configuration are the operation's to add. */
export function givenOf<T extends Table>(command: Command, table: T): Given<T> {
  const given = Object.entries(table).flatMap(([name, { flag }]) => {
    const attribute = flag === null ? null : new Option(flag).attributeName();
    if (attribute === null || command.getOptionValueSource(attribute) !== "cli") return [];
    const value: unknown = command.getOptionValue(attribute);
    return value === NOT_SAID ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as Given<T>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- rows of any kind
function optionOf(row: Row<any>, help: string): Option {
  const option = new Option([row.short, row.flag].filter((one) => one !== null).join(", "), help);
  if (option.required || option.optional) option.argParser(parserOf(row));
  if ("choices" in row.kind) option.argChoices = [...(row.kind.choices as readonly string[])];
  if (row.preset !== null) option.preset(row.preset);
  if (isShown(row)) option.default(row.otherwise);
  return option;
}

/** Commander takes null for a value that is still to come. */
const NOT_SAID = Symbol("not said");

/** A default that a reader of the help would ask for. */
function isShown({ otherwise }: Row<unknown>): boolean {
  return otherwise !== null && typeof otherwise !== "boolean" && !Array.isArray(otherwise);
}

function parserOf({
  kind,
  repeatable,
  blank,
  otherwise,
}: Row<unknown>): (text: string, earlier: unknown) => unknown {
  return (text, earlier) => {
    if (repeatable) return [...(Array.isArray(earlier) ? (earlier as unknown[]) : []), text];
    if (text.trim() === "" && blank === "not-said") return NOT_SAID;
    try {
      const value: unknown = kind.fromText(text);
      // A list that begins empty grows with each flag; one that stands for a choice, as of agents, is chosen anew.
      const grows = Array.isArray(otherwise) && Array.isArray(earlier) && Array.isArray(value);
      return grows ? [...(earlier as unknown[]), ...(value as unknown[])] : value;
    } catch (error) {
      throw error instanceof InvalidValue ? new InvalidArgumentError(error.message) : error;
    }
  };
}
