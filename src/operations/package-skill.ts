import { basename, dirname, resolve } from "node:path";
import { type Package, packageSkill as pack } from "../load/package.ts";
import { text } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, settle } from "../options/table.ts";
import type { Door } from "./door.ts";
import { writing } from "./shared/writing.ts";

export type { Package } from "../load/package.ts";

/** What `packageSkill` can be told. */
export const PACKAGE_OPTIONS = {
  skill: option(null, text, "the skill's directory or its SKILL.md"),
  output: option("--output <path>", text, "the archive to write (default: <directory name>.skill here)"),
};
export type PackageOptions = Given<typeof PACKAGE_OPTIONS> & { readonly skill: string };

/**
 * Writes a `.skill` archive whose bytes depend only on the skill. Throws a UserError, and writes nothing, when lint finds
 * errors or something cannot be packed.
 */
export async function packageSkill(options: PackageOptions, { machine }: Door): Promise<Package> {
  const settled = settle(PACKAGE_OPTIONS, options, { env: machine.env });
  const given = resolve(machine.cwd, required(settled, ["skill"]).skill);
  const directory = /^skill\.md$/i.test(basename(given)) ? dirname(given) : given;
  const output = resolve(machine.cwd, settled.output ?? `${basename(directory)}.skill`);
  return await writing(output, machine, () => pack(directory, output));
}
