import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { selectCases } from "../../plan/select.ts";
import { loadSuites } from "../../engine/load-suites.ts";
import type { Machine } from "../../machine.ts";
import type { GradeOptions } from "../../cli/options/grade.ts";

export interface TargetCase {
  readonly suite: Suite;
  readonly case: Case;
}

/** The task cases that `--skill`, `--evals` and `--case` name. */
export async function targetCases(
  options: Pick<GradeOptions, "evals" | "skill" | "cases">,
  machine: Machine,
): Promise<readonly TargetCase[]> {
  const { evals, skill, cases } = options;
  if (evals === null && skill === null) {
    throw new UserError("grade/no-target", "it is not said which checks to grade by", {
      hint: "name the skill with --skill, or its eval file with --evals",
    });
  }
  const targets = [skill ?? evals ?? "."];
  const raw = { ...(evals === null ? {} : { evals }), ...(skill === null ? {} : { skill }) };
  const suites = await loadSuites(targets, raw, { machine, changed: null });
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
