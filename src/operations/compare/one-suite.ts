import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { harnessNames } from "../../engine/harness.ts";
import { judgeNote } from "../../engine/models/judge-ahead.ts";
import { NO_JUDGE } from "../../grade/no-judge.ts";
import { loadForRun } from "../shared/run-request.ts";
import type { CompareCall } from "./call.ts";

/** The cases of the target. Refuses more than one skill, agent or model, and notes a missing judge, before anything is spent. */
export async function loadOneSuite(target: string, call: CompareCall): Promise<Suite> {
  const { settled, run, door } = call;
  const { options } = run.request;
  const { plugins } = door.config;
  const wishes = { ...settled, targets: [target], skill: null, strict: false, plugins };
  const suite = onlyOne(await loadForRun(wishes, { options, door }), target);
  if (harnessNames(suite, options).length > 1 || (options.models ?? []).length > 1) {
    throw new UserError(
      "compare/several-runs",
      "versions are compared with one agent and one model at a time",
      { hint: "choose one --harness and one --model" },
    );
  }
  const note = missingJudge(suite, call);
  if (note !== null) door.machine.note(note);
  return suite;
}

function onlyOne(suites: readonly Suite[], target: string): Suite {
  const [suite, another] = suites;
  if (suite !== undefined && another === undefined) return suite;
  throw new UserError("compare/which-skill", `${target} has evals of ${suites.length} skills`, {
    hint: "pass the directory of one skill; add --evals if its evals are elsewhere",
  });
}

function missingJudge(suite: Suite, { settled, run }: CompareCall): string | null {
  const { find } = run.models;
  if (settled.flips) return judgeNote([suite], find);
  const isUnjudged = suite.cases.some((one) => one.kind === "task" && find.panel(one).length === 0);
  return isUnjudged
    ? `${NO_JUDGE}; until then only checks that code decides can be compared (--flips)`
    : null;
}
