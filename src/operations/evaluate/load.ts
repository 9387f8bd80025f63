import { hasErrors } from "../../domain/diagnostic.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { changedPaths } from "../../lib/git-changes.ts";
import { loadTargets } from "../../load/load.ts";
import { changedSuites } from "../../plan/select.ts";
import { loadOptions } from "../../cli/options/targets.ts";
import { renderDiagnostics } from "../../cli/render/diagnostics.ts";
import { plural } from "../../lib/plural.ts";
import type { Terminal } from "../../cli/terminal.ts";

/** The suites to run; none where `--changed` finds that nothing did. Throws when a file is wrong. */
export async function loadSuites(
  targets: readonly string[],
  raw: Readonly<Record<string, unknown>>,
  { terminal, changed }: { terminal: Terminal; changed: string | null },
): Promise<readonly Suite[]> {
  const { suites, diagnostics } = await loadTargets(targets, loadOptions(raw, terminal, null));
  const problems =
    raw["strict"] === true ? diagnostics.map((one) => ({ ...one, severity: "error" as const })) : diagnostics;
  if (hasErrors(problems)) {
    throw new UserError("load/invalid", "nothing was run, because some files cannot be used", {
      hint: "put right what is listed above; assay check shows the same without running",
      diagnostics: problems.filter((diagnostic) => diagnostic.severity === "error"),
    });
  }
  terminal.err(renderDiagnostics(problems, { decorated: terminal.decorated.err, cwd: terminal.cwd }));
  return changed === null ? suites : changedSince(changed, suites, terminal);
}

/** Those that `--changed` lets run. */
export async function changedSince(
  ref: string,
  suites: readonly Suite[],
  terminal: Terminal,
): Promise<readonly Suite[]> {
  const paths = await changedPaths(terminal.cwd, ref).catch((error: Error & { stderr?: string }) => {
    const words = (error.stderr ?? "").trim() || error.message;
    throw new UserError("run/no-changes-known", `--changed ${ref}: git cannot tell what changed: ${words}`, {
      hint: "run it inside the repository and name a branch, tag or commit that is there; in CI, fetch it first",
    });
  });
  const changed = changedSuites(suites, paths);
  if (changed.length === 0) {
    const looked = `looked at ${plural(suites.length, "skill")}; without --changed all of them run`;
    terminal.err(`note: nothing to run: no skill or eval file has changed since ${ref} (${looked})\n`);
  }
  return changed;
}
