import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { NO_JUDGE } from "../../grade/no-judge.ts";
import type { Stages } from "../../pipeline.ts";
import { judgeNote } from "../../engine/models/judge-ahead.ts";
import type { JudgeFinder } from "../../engine/models/judges.ts";
import type { Machine } from "../../machine.ts";

export interface OneRunCall {
  /** What is loaded. */
  readonly target: string;
  readonly flipsOnly: boolean;
  readonly graders: { readonly find: JudgeFinder };
  readonly machine: Machine;
}

/**
 * The stages with this skill in place of the one that is loaded. More than one skill, agent or model is refused, and a
 * missing judge told, before anything is spent.
 */
export function oneRunOf(skill: Skill, stages: Stages, call: OneRunCall): Stages {
  const { runAndGrade, summarize, report } = stages;
  return {
    async load() {
      const suite = onlySuite(await stages.load(), call.target);
      const note = missingJudge(suite, call);
      if (note !== null) call.machine.note(note);
      return [{ ...suite, skill }];
    },
    async plan(suite) {
      const plans = await stages.plan(suite);
      if (plans.length <= 1) return plans;
      throw new UserError(
        "compare/several-runs",
        "versions are compared with one agent and one model at a time",
        { hint: "name one --harness and one --model" },
      );
    },
    runAndGrade,
    summarize,
    report,
  };
}

function onlySuite(suites: readonly Suite[], target: string): Suite {
  const [suite, another] = suites;
  if (suite !== undefined && another === undefined) return suite;
  throw new UserError("compare/which-skill", `${target} has evals of ${suites.length} skills`, {
    hint: "name the directory of one skill; --evals names its evals where they lie elsewhere",
  });
}

function missingJudge(suite: Suite, { flipsOnly, graders: { find } }: OneRunCall): string | null {
  if (flipsOnly) return judgeNote([suite], find);
  const blind = suite.cases.some((one) => one.kind === "task" && find.panel(one).length === 0);
  return blind ? `${NO_JUDGE}; until then only checks that code decides can be compared (--flips)` : null;
}
