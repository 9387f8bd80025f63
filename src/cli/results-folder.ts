import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { findProjectRoot } from "../load/project-root.ts";
import { textOption } from "./load-options.ts";
import type { Terminal } from "./terminal.ts";

/** Where results lie for a command that names no skill: `--workspace`, else `.assay` in the project, else here. */
export function resultsFolder(options: Readonly<Record<string, unknown>>, terminal: Terminal): string {
  const given = textOption(options["workspace"]) ?? textOption(terminal.env["ASSAY_WORKSPACE"]);
  if (given !== null) return resolve(terminal.cwd, given);
  return join(findProjectRoot(terminal.cwd, terminal.env["HOME"] ?? homedir()) ?? terminal.cwd, ".assay");
}
