import type { IterationState } from "../../store/state.ts";
import { mean } from "../../stats/descriptive.ts";

type Graded = Pick<IterationState, "trials" | "gradings">;

/** The share of scored checks that pass in each run of each case; runs without any are left out. */
export type RunScores = ReadonlyMap<string, readonly number[]>;

export function runScores({ trials, gradings }: Graded, ids: readonly string[]): RunScores {
  const scoreOf = (trialId: string): number[] => {
    const scored = (gradings.get(trialId)?.verdicts ?? []).filter(({ status }) => status !== "unscored");
    return scored.length === 0
      ? []
      : [scored.filter(({ status }) => status === "passed").length / scored.length];
  };
  return new Map(
    ids.map((id) => [id, trials.filter(({ caseId }) => caseId === id).flatMap((trial) => scoreOf(trial.id))]),
  );
}

/** The mean over cases of the mean of their runs; null where nothing was scored. */
export function meanScore(scores: RunScores): number | null {
  return mean([...scores.values()].flatMap((runs) => mean(runs) ?? []));
}
