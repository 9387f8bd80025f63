import { hasErrors } from "../domain/diagnostic.ts";
import type { Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { changedPaths } from "../lib/git-changes.ts";
import { plural } from "../lib/plural.ts";
import { loadTargets } from "../load/load.ts";
import type { Machine } from "../machine.ts";
import { changedSuites } from "../plan/select.ts";
import { loadOptions, type LoadPlugins } from "./load-options.ts";

export { loadOptions, type LoadPlugins } from "./load-options.ts";

/** Which files, and how strictly they are read. */
export interface LoadWishes {
  readonly targets: readonly string[];
  readonly evals: string | null;
  readonly skill: string | null;
  /** As the user wrote it; absent or null: it is looked for. */
  readonly projectRoot?: string | null;
  readonly strict: boolean;
  /** Only what changed since this git ref; null: everything. */
  readonly changed: string | null;
  readonly plugins: LoadPlugins;
  /** Ends the waiting for such a format; absent: nothing does, but its limit. */
  readonly signal?: AbortSignal;
}

/** The suites to run; none where nothing changed. Throws a UserError when a file is wrong. */
export async function loadSuites(wishes: LoadWishes, machine: Machine): Promise<readonly Suite[]> {
  const { suites, diagnostics } = await loadTargets(wishes.targets, loadOptions(wishes, machine));
  const problems = wishes.strict
    ? diagnostics.map((one) => ({ ...one, severity: "error" as const }))
    : diagnostics;
  if (hasErrors(problems)) {
    throw new UserError("load/invalid", "nothing was run, because some files cannot be used", {
      hint: "fix the errors above; assay check shows them without running anything",
      diagnostics: problems.filter((diagnostic) => diagnostic.severity === "error"),
    });
  }
  for (const problem of problems) machine.note(problem);
  return wishes.changed === null ? suites : changedSince(wishes.changed, suites, machine);
}

/** Those of the suites that changed since a git ref. */
export async function changedSince(
  ref: string,
  suites: readonly Suite[],
  machine: Machine,
): Promise<readonly Suite[]> {
  const paths = await changedPaths(machine, ref).catch((error: Error & { stderr?: string }) => {
    const words = (error.stderr ?? "").trim() || error.message;
    throw new UserError("run/no-changes-known", `--changed ${ref}: git cannot tell what changed: ${words}`, {
      hint: "run it inside the repository and pass a branch, tag or commit that exists; in CI, fetch it first",
    });
  });
  const changed = changedSuites(suites, paths);
  if (changed.length === 0) {
    const looked = `looked at ${plural(suites.length, "skill")}; without --changed all of them run`;
    machine.note(`nothing to run: no skill or eval file has changed since ${ref} (${looked})`);
  }
  return changed;
}
