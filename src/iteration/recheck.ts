import type { Case } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";
import { trialRef } from "../store/journal.ts";
import type { FinishedTrial, IterationState } from "../store/state.ts";

/** Graded runs of these trials whose checks are not those of today: they are graded again without running. */
export function runsToRecheck(
  { trials, cases }: { trials: readonly Trial[]; cases: readonly Case[] },
  state: IterationState,
): readonly FinishedTrial[] {
  const now = new Map(cases.map((one) => [one.id, checksOf(one)]));
  return trials.flatMap((trial) => {
    const run = state.committed.get(trialRef(trial));
    const then = state.casesAsGraded.get(trial.id);
    if (run === undefined || then === undefined || !state.gradings.has(trial.id)) return [];
    return checksOf(then) === (now.get(trial.caseId) ?? checksOf(then)) ? [] : [run];
  });
}

function checksOf({ checks, sections, expectedOutput, output }: Case): string {
  return JSON.stringify([checks, sections, expectedOutput, output]);
}
