import type { Change } from "../domain/change.ts";
import type { Plan } from "../domain/plan.ts";
import type { Trial } from "../domain/trial.ts";
import { trialRef } from "../store/journal.ts";
import type { FinishedTrial, IterationState } from "../store/state.ts";
import { runsToRecheck, runsToReopen } from "./recheck.ts";
import { changesFor, type Then } from "./changes.ts";

/** What going on with an iteration does with each planned trial. */
export interface Resuming {
  /** Finished runs that nothing has changed for. */
  readonly reused: readonly FinishedTrial[];
  /** Of them, those that are graded again because their checks changed. */
  readonly rechecked: readonly FinishedTrial[];
  /** Of them, those that are graded again because a model left verdicts open. */
  readonly reopened: readonly FinishedTrial[];
  /** Trials that have a run which no longer holds. */
  readonly again: readonly RunAgain[];
  /** Trials that were never run, or left out. */
  readonly open: readonly Trial[];
  /** Trials that were begun, and whose end may have stood where the journal is damaged. */
  readonly lost: readonly Trial[];
}

export interface RunAgain {
  readonly trial: Trial;
  /** The run that there is. */
  readonly earlier: FinishedTrial;
  readonly changes: readonly Change[];
}

/** Pure but for `thenOf`, which knows how things were when a run was made. */
export async function resumingOf(
  plan: Plan,
  { state, damagedLines }: { readonly state: IterationState; readonly damagedLines: number },
  thenOf: (start: Then["start"]) => Promise<Then>,
): Promise<Resuming> {
  const lastRuns = new Map([...state.committed.values()].map((run) => [run.trial.id, run]));
  const reused: FinishedTrial[] = [];
  const again: RunAgain[] = [];
  const open: Trial[] = [];
  const lost: Trial[] = [];
  const ended = new Map(state.ends.map(({ trial, attempt }) => [trial.id, attempt]));
  const wasLost = ({ id }: Trial): boolean =>
    damagedLines > 0 && (state.attempts.get(id) ?? 0) > (ended.get(id) ?? 0);
  for (const trial of plan.trials) {
    const same = state.committed.get(trialRef(trial));
    const earlier = lastRuns.get(trial.id);
    if (same !== undefined) reused.push(same);
    else if (earlier === undefined) (wasLost(trial) ? lost : open).push(trial);
    else {
      const start = state.madeUnder.get(trialRef(earlier.trial));
      const changes = start === undefined ? UNKNOWN : changesFor(trial, plan, await thenOf(start));
      again.push({ trial, earlier, changes });
    }
  }
  const { trials, suite } = plan;
  const rechecked = runsToRecheck({ trials, cases: suite.cases }, state);
  const reopened = runsToReopen(trials, state).filter((run) => !rechecked.includes(run));
  return { reused, rechecked, reopened, again, open, lost };
}

const UNKNOWN: readonly Change[] = [{ kind: "unknown" }];
