import type { IterationEnd } from "./domain/event.ts";
import type { Suite } from "./domain/suite.ts";
import type { Plan } from "./domain/trial.ts";
import { UserError } from "./domain/user-error.ts";
import type { IterationReport, Reporter } from "./report/reporter.ts";

/** The stages, each bound to its parts by the caller. */
export interface Stages {
  /** Files into Suites; throws a UserError when they cannot be used. None: there is nothing to do, and that is well. */
  readonly load: () => Promise<readonly Suite[]>;
  /** A Suite into one Plan per harness and model. */
  readonly plan: (suite: Suite) => Promise<readonly Plan[]>;
  /** A Plan into Runs with Verdicts in an iteration folder; each run is graded as soon as it is there. */
  readonly runAndGrade: (suite: Suite, plan: Plan, signal: AbortSignal) => Promise<Worked>;
  /** The journal of an iteration into its Summary. */
  readonly summarize: (worked: Worked) => Promise<IterationReport>;
  readonly report: Required<Reporter>;
}

/** An iteration that was worked on. */
export interface Worked {
  /** Absolute path. */
  readonly folder: string;
  readonly ended: IterationEnd;
}

export interface Evaluation {
  readonly reports: readonly IterationReport[];
  readonly ended: IterationEnd;
}

/** load -> plan -> run and grade -> summarize -> report. */
export async function evaluate(stages: Stages, signal: AbortSignal): Promise<Evaluation> {
  const suites = await stages.load();
  const planned: { suite: Suite; plan: Plan }[] = [];
  for (const suite of suites) {
    for (const plan of await stages.plan(suite)) if (plan.trials.length > 0) planned.push({ suite, plan });
  }
  if (planned.length === 0 && suites.length > 0) throw nothingSelected(suites);
  const reports: IterationReport[] = [];
  let ended: IterationEnd = "complete";
  for (const { suite, plan } of planned) {
    if (ended !== "complete") break;
    const worked = await stages.runAndGrade(suite, plan, signal);
    reports.push(await stages.summarize(worked));
    ended = worked.ended;
  }
  await stages.report.finish(reports);
  return { reports, ended };
}

function nothingSelected(suites: readonly Suite[]): UserError {
  const cases = suites.flatMap((suite) => suite.cases);
  return new UserError(
    "run/nothing-selected",
    cases.length === 0
      ? "there is nothing to run: no cases were found"
      : `none of the ${cases.length} cases was selected`,
    {
      hint:
        cases.length === 0
          ? "name a skill that has eval files; assay check says what was found"
          : "look at --case, --filter, --mode and --shard; assay list --cases shows the ids",
    },
  );
}
