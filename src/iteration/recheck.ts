import type { Layer } from "../domain/check.ts";
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

/**
 * Runs that a model left without a verdict, because it could not be reached or its answer did not hold up: it is asked once
 * more. What it did answer is remembered, and not paid for twice.
 */
export function runsToReopen(trials: readonly Trial[], state: IterationState): readonly FinishedTrial[] {
  return trials.flatMap((trial) => {
    const run = state.committed.get(trialRef(trial));
    const verdicts = state.gradings.get(trial.id)?.verdicts ?? [];
    const isOpen = verdicts.some(({ status, layer }) => status === "unscored" && BY_MODELS.has(layer));
    return run !== undefined && isOpen ? [run] : [];
  });
}

const BY_MODELS: ReadonlySet<Layer> = new Set(["L2", "L3"]);

function checksOf({ checks, sections, expectedOutput, output }: Case): string {
  return JSON.stringify([checks, sections, expectedOutput, output]);
}
