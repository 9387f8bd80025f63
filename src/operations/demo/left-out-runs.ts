import { countsAs, type Outcome } from "../../domain/run.ts";
import type { IterationReport } from "../../report/reporter.ts";

/** A run that is not in the numbers, and why. */
export interface LeftOutRun {
  readonly trialId: string;
  readonly outcome: Outcome;
}

export function leftOutRuns({ evaluated }: IterationReport): LeftOutRun[] {
  return [...evaluated.runs]
    .map(([trialId, { run }]) => ({ trialId, outcome: run.outcome }))
    .filter(({ outcome }) => countsAs(outcome) === "left-out");
}
