import { join, resolve } from "node:path";
import { findProjectRoot } from "../load/project-root.ts";
import type { Machine } from "../machine.ts";

/**
 * Where results are kept and looked for, the same for every operation: the workspace that was named, else `.assay` of the
 * project one is in, else here. Not the skill's project: whoever names only a run could not know it.
 */
export function resultsFolder(
  workspace: string | null,
  { cwd, home }: Pick<Machine, "cwd" | "home">,
): string {
  if (workspace !== null) return resolve(cwd, workspace);
  return join(findProjectRoot(cwd, home) ?? cwd, ".assay");
}
