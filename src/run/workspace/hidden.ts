import path from "node:path";

import { KNOWN_GOOD_FILE } from "../../domain/known-good-file.ts";
import type { Suite } from "../../domain/suite.ts";
import { isAtOrBelow } from "./layer.ts";

/**
 * What of a project no agent may see while this suite runs on it: the eval files, the directories that exist for them,
 * the overlays, and the results that Assay keeps beside the skills. Absolute paths; each stands for all below it.
 */
export function hiddenPaths(suite: Suite, projectRoot: string | null): readonly string[] {
  const hidden = new Set<string>();
  for (const file of suite.files) {
    hidden.add(file.path);
    const directory = evalsDirectory(file.path, suite.name, projectRoot);
    if (directory !== null) hidden.add(directory);
    if (file.format === "bmad") addBmad(hidden, path.dirname(file.path), projectRoot);
  }
  for (const overlay of suite.cases.flatMap((one) => one.overlays)) hidden.add(overlay);
  if (suite.skill?.layout === "directory") hidden.add(path.join(suite.skill.root, "evals"));
  if (projectRoot !== null) {
    hidden.add(path.join(projectRoot, "evals", suite.name));
    hidden.add(path.join(projectRoot, KNOWN_GOOD_FILE));
  }
  return [...hidden].sort();
}

/** The directory of this suite's evals that the file lies in; null where it lies among other files. */
function evalsDirectory(file: string, name: string, projectRoot: string | null): string | null {
  const parts = path.dirname(file).split(path.sep);
  const floor = projectRoot === null ? 0 : projectRoot.split(path.sep).length;
  const evals = parts.indexOf("evals", floor);
  if (evals < 0) return null;
  const own = parts.indexOf(name, evals + 1);
  if (own > 0) return parts.slice(0, own + 1).join(path.sep);
  return parts.length - 1 === evals ? parts.slice(0, evals + 1).join(path.sep) : null;
}

/** A BMad directory is nothing but evals, unless it is the project itself. */
function addBmad(hidden: Set<string>, directory: string, projectRoot: string | null): void {
  const holdsProject = projectRoot !== null && isAtOrBelow(projectRoot, directory);
  if (!holdsProject) hidden.add(directory);
  else for (const name of ["evals.json", "triggers.json", "setup"]) hidden.add(path.join(directory, name));
}
