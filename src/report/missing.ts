import { countsAs, type LeftOutStatus } from "../domain/run.ts";
import type { Missing } from "../domain/summary.ts";
import type { Evaluated } from "./evaluated.ts";
import { countVerdicts } from "./trial-facts.ts";

/** Everything planned that the rates do not contain. */
export function missingOf({ cases, trials, runs, gradings }: Evaluated): Missing {
  const leftOut: Partial<Record<LeftOutStatus, number>> = {};
  for (const { run } of runs.values()) {
    if (countsAs(run.outcome) !== "left-out") continue;
    const status = run.outcome.status as LeftOutStatus;
    leftOut[status] = (leftOut[status] ?? 0) + 1;
  }
  let unscoredChecks = 0;
  for (const { verdicts } of gradings.values()) unscoredChecks += countVerdicts(verdicts).unscored;
  const planned = new Set(trials.map((trial) => trial.caseId));
  return {
    notRun: trials.filter((trial) => !runs.has(trial.id)).length,
    leftOut,
    unscoredChecks,
    ungradedCases: cases.filter((one) => planned.has(one.id) && one.checks.length === 0).length,
  };
}

export function leftOutTotal({ leftOut, notRun }: Missing): number {
  return notRun + Object.values(leftOut).reduce((sum, count) => sum + count, 0);
}
