import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadSuites } from "../../engine/load-suites.ts";
import type { Plugins } from "../../engine/plugins.ts";
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
  readonly cases: readonly string[];
  /** Formats beyond the built-in ones. */
  readonly formats: Plugins["formats"];
}

/** The task cases that `--skill`, `--evals` and `--case` name. */
export async function targetCases(from: ChecksFrom, machine: Machine): Promise<readonly TargetCase[]> {
  const { evals, skill, cases, formats } = from;
  if (evals === null && skill === null) {
    throw new UserError("grade/no-target", "it is not said which checks to grade by", {
      hint: "name the skill with --skill, or its eval file with --evals",
    });
  }
  const targets = [skill ?? evals ?? "."];
  const suites = await loadSuites({ targets, evals, skill, strict: false, changed: null, formats }, machine);
  const found = suites.flatMap((suite) =>
    selectCases(suite.cases, { mode: "artifact", cases, filter: null, shard: null }).map((one) => ({
      suite,
      case: one,
    })),
  );
  if (found.length > 0) return found;
  throw new UserError("grade/nothing-selected", "there is no case to grade by", {
    hint: cases.length === 0 ? "assay list shows what there is" : "assay list --cases shows the ids",
  });
}
