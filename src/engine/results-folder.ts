import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { findProjectRoot } from "../load/project-root.ts";
import { textOption } from "../cli/options/targets.ts";
import type { Terminal } from "../cli/terminal.ts";

/**
 * Where results go and are looked for, the same for every command: `--workspace`, else `.assay` of the project that the
 * command is called in, else here. Not the skill's project: a command that names only a run could not know it.
 */
export function resultsFolder(options: Readonly<Record<string, unknown>>, terminal: Terminal): string {
  const given = textOption(options["workspace"]) ?? textOption(terminal.env["ASSAY_WORKSPACE"]);
  if (given !== null) return resolve(terminal.cwd, given);
  return join(findProjectRoot(terminal.cwd, terminal.env["HOME"] ?? homedir()) ?? terminal.cwd, ".assay");
}
