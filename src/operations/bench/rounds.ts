import { type AdaptivePlan, lookSizes } from "../../report/benchmark/options.ts";
import { readIteration } from "../../store/iteration.ts";
import { summarize } from "../../report/summarize.ts";
import type { Rounds } from "../../iteration/rounds.ts";

/** Whether to go on is no matter of gates. */
const NO_GATES = { minPassRate: null, allowMissing: 0 };

/** Every case gets the same runs in both arms, whoever is ahead: that is what keeps the stopping rule's error rate. */
export function benchRounds(plan: AdaptivePlan): Rounds {
  const sizes = lookSizes(plan);
  const runsOf = (ids: Iterable<string>, runs: number) => new Map([...ids].map((id) => [id, runs]));
  return {
    first: ({ cases }) =>
      runsOf(
        cases.map((one) => one.id),
        sizes[0] ?? plan.maxRuns,
      ),
    async next(folder) {
      const { state } = await readIteration(folder);
      if (state.iteration === null) return null;
      const looked = summarize({ ...state, iteration: state.iteration }, NO_GATES).benchmark?.adaptive;
      if (looked === undefined || looked === null) return null;
      if (looked.decidedAt !== null || looked.givenUpAt !== null || looked.stoppedBy !== null) return null;
      const runs = sizes[looked.looks.length];
      return runs === undefined ? null : runsOf(new Set(state.trials.map((trial) => trial.caseId)), runs);
    },
  };
}
