import { join, resolve } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { staysIn } from "../lib/stays-in.ts";
import { findProjectRoot } from "../load/project-root.ts";
import type { Machine } from "../machine.ts";

/**
 * Where results are kept and looked for, the same for every operation: the workspace that was named, else `.assay` of the
 * project one is in, else here. Not the skill's project: whoever names only a run could not know it. A project cannot lead
 * results elsewhere by a link.
 */
export function resultsFolder(
  workspace: string | null,
  { cwd, home }: Pick<Machine, "cwd" | "home">,
): string {
  if (workspace !== null) return resolve(cwd, workspace);
  const root = findProjectRoot(cwd, home) ?? cwd;
  const folder = join(root, ".assay");
  if (staysIn(root, folder)) return folder;
  throw new UserError("config/not-yours", `${folder} is a link that points outside the project`, {
    hint: "remove it, or set the place yourself: --workspace DIR",
  });
}
