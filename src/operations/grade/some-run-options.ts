import { Command } from "commander";
import { defineRunOptions, readRunOptions, type RunOptions } from "../../cli/options/run.ts";
import type { Machine } from "../../machine.ts";

/** Offers only these options of `assay run`, e.g. `--harness`, in the same words. */
export function defineSomeRunOptions(command: Command, names: readonly string[]): void {
  const { options } = withAll();
  for (const option of options) if (names.includes(option.long ?? "")) command.addOption(option);
}

/** As for `assay run`; what was not offered has its default. */
export async function readSomeRunOptions(
  raw: Readonly<Record<string, unknown>>,
  machine: Machine,
): Promise<RunOptions> {
  return readRunOptions({ ...withAll().opts(), ...raw }, machine);
}

function withAll(): Command {
  const command = new Command();
  defineRunOptions(command);
  return command;
}
