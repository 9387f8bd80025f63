import type { Case } from "../../domain/suite.ts";
import { isOutrun } from "../../improve/loop/race.ts";
import { type RunScores, runScores } from "../../improve/loop/score.ts";
import type { Rounds } from "../../iteration/rounds.ts";
import { readIteration } from "../../store/iteration.ts";

/** A draft against the version that leads. */
export interface Race extends Rounds {
  readonly next: (folder: Parameters<Rounds["next"]>[0]) => ReturnType<Rounds["next"]>;
  readonly isOutrun: (scores: RunScores) => boolean;
}

/** One run of each case, and the others only where the draft is still in the race. */
export function raceAgainst(leader: RunScores, cases: readonly Case[], runsOf: (one: Case) => number): Race {
  const all = new Map(cases.map((one) => [one.id, runsOf(one)]));
  const out = (scores: RunScores) => isOutrun(scores, leader, (id) => all.get(id) ?? 0);
  return {
    first: () => new Map(cases.map(({ id }) => [id, 1])),
    async next(folder) {
      const { state } = await readIteration(folder);
      const made = (id: string) => state.trials.filter(({ caseId }) => caseId === id).length;
      if (cases.every(({ id }) => made(id) >= (all.get(id) ?? 0))) return null;
      return out(runScores(state, [...all.keys()])) ? null : all;
    },
    isOutrun: (scores) => [...scores].some(([id, runs]) => runs.length < (all.get(id) ?? 0)) && out(scores),
  };
}
