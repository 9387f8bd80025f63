import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { type LoadPlugins, loadSuites } from "../../engine/load-suites.ts";
import type { Machine } from "../../machine.ts";
import { selectCases } from "../../plan/select.ts";

export interface TargetCase {
  readonly suite: Suite;
  readonly case: Case;
}

/** Where checks are taken from. */
export interface ChecksFrom {
  readonly evals: string | null;
  readonly skill: string | null;
  /** As the user wrote it; null: it is looked for. */
  readonly projectRoot: string | null;
  readonly cases: readonly string[];
  /** Formats beyond the built-in ones. */
  readonly plugins: LoadPlugins;
  readonly signal: AbortSignal;
}

/** The task cases that `--skill`, `--evals` and `--case` name. */
export async function targetCases(from: ChecksFrom, machine: Machine): Promise<readonly TargetCase[]> {
  const { evals, skill, projectRoot, cases, plugins, signal } = from;
  if (evals === null && skill === null) {
    throw new UserError("grade/no-target", "which checks should decide?", {
      hint: "pass the skill with --skill, or its eval file with --evals",
    });
  }
  const targets = [skill ?? evals ?? "."];
  const wishes = { targets, evals, skill, projectRoot, strict: false, changed: null, plugins, signal };
  const suites = await loadSuites(wishes, machine);
  const found = suites.flatMap((suite) =>
    selectCases(suite.cases, { mode: "artifact", cases, filter: null, shard: null }).map((one) => ({
      suite,
      case: one,
    })),
  );
  if (found.length > 0) return found;
  throw new UserError("grade/nothing-selected", "there is no case to take checks from", {
    hint: cases.length === 0 ? "assay list shows what there is" : "assay list --cases shows the ids",
  });
}
