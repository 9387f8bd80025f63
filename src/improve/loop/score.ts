import type { IterationState } from "../../store/state.ts";
import { mean } from "../../stats/descriptive.ts";
import type { Score } from "./record.ts";
import type { CaseSplit } from "./split-cases.ts";

/** The mean over cases of the share of scored checks that pass in all runs of the case. */
export function scoreOf(
  state: Pick<IterationState, "trials" | "gradings">,
  split: CaseSplit,
  iteration: number,
): Score {
  const rates = (ids: readonly string[]) => mean(ids.flatMap((id) => caseRate(state, id) ?? []));
  return {
    iteration,
    all: rates([...split.train, ...split.heldOut]),
    train: rates(split.train),
    heldOut: rates(split.heldOut),
  };
}

function caseRate(
  { trials, gradings }: Pick<IterationState, "trials" | "gradings">,
  caseId: string,
): number | null {
  const verdicts = trials
    .filter((trial) => trial.caseId === caseId)
    .flatMap(({ id }) => gradings.get(id)?.verdicts ?? [])
    .filter(({ status }) => status !== "unscored");
  return mean(verdicts.map(({ status }) => Number(status === "passed")));
}
