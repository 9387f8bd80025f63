import type { Basis } from "../domain/basis.ts";
import type { EvalEvent, EventOf, IterationEnd } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import type { Iteration } from "../domain/iteration.ts";
import { countsAs } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";
import { trialRef } from "./journal.ts";
import { runFolderOf } from "./layout.ts";

export type FinishedTrial = EventOf<"trial-finished">;

/** What a journal says about its iteration. Maps keep the order of the journal. */
export interface IterationState {
  /** Null: the journal does not hold a start. */
  readonly iteration: Iteration | null;
  readonly cases: readonly Case[];
  /** What the keys of the trials were made from; null: it was not kept. */
  readonly basis: Basis | null;
  /** By id: each case as it stood when its runs were made; a grading since may have changed its checks. */
  readonly casesAsRun: ReadonlyMap<string, Case>;
  readonly trials: readonly Trial[];
  /** By trial id: the planned trials' runs, left-out ones too, as they stand after the last attempt. */
  readonly runs: ReadonlyMap<string, FinishedTrial>;
  /** By trial id: the last grading of each run above. */
  readonly gradings: ReadonlyMap<string, Grading>;
  /** By `trialRef`: everything that need not run again, whether planned now or not. */
  readonly committed: ReadonlyMap<string, FinishedTrial>;
  /** By trial id: the case whose checks the grading above went by. */
  readonly casesAsGraded: ReadonlyMap<string, Case>;
  /** By `trialRef`: the start that each run was made under. */
  readonly madeUnder: ReadonlyMap<string, EventOf<"iteration-started">>;
  /** Every attempt that ended, also those that another one replaced. */
  readonly ends: readonly FinishedTrial[];
  /** By trial id: attempts begun, also those that a crash cut short. */
  readonly attempts: ReadonlyMap<string, number>;
  /** By case id: the folders that are in use. */
  readonly caseFolders: ReadonlyMap<string, string>;
  readonly notes: readonly EventOf<"note">[];
  /** The starts that were worked through to the end, so that people have seen what they came to; oldest first. */
  readonly reported: readonly EventOf<"iteration-started">[];
  /** Null while a runner is at work, or after one that crashed. */
  readonly ended: IterationEnd | null;
}

/** Pure: the same events give the same state. */
export function replay(events: Iterable<EvalEvent>): IterationState {
  let started: EventOf<"iteration-started"> | null = null;
  let cases: ReadonlyMap<string, Case> = new Map();
  let ended: IterationEnd | null = null;
  const finished = new Map<string, FinishedTrial>();
  const graded = new Map<string, Grading>();
  const attempts = new Map<string, number>();
  const caseFolders = new Map<string, string>();
  const casesAsRun = new Map<string, Case>();
  const casesAsGraded = new Map<string, Case>();
  const madeUnder = new Map<string, EventOf<"iteration-started">>();
  const ends: FinishedTrial[] = [];
  const notes: EventOf<"note">[] = [];
  const reported: EventOf<"iteration-started">[] = [];
  for (const event of events) {
    switch (event.kind) {
      case "iteration-started":
        started = event;
        cases = new Map(event.cases.map((one) => [one.id, one]));
        ended = null;
        break;
      case "trial-started":
        attempts.set(event.trial.id, Math.max(event.attempt, attempts.get(event.trial.id) ?? 0));
        break;
      case "trial-finished":
        if (commits(finished.get(trialRef(event.trial)))) break;
        finished.set(trialRef(event.trial), event);
        ends.push(event);
        if (started !== null) madeUnder.set(trialRef(event.trial), started);
        graded.delete(trialRef(event.trial));
        caseFolders.set(event.trial.caseId, caseFolderOf(event));
        keepCase(casesAsRun, event.trial.caseId, cases.get(event.trial.caseId));
        break;
      case "verdicts-recorded":
        graded.set(trialRef(event.trial), event.grading);
        keepCase(casesAsGraded, event.trial.id, cases.get(event.trial.caseId));
        break;
      case "note":
        notes.push(event);
        break;
      case "iteration-finished":
        ended = event.ended;
        if (started !== null && ended === "complete") reported.push(started);
        break;
      case "agent-started":
      case "trial-progress":
      case "trial-waiting":
      case "services-limited":
      case "money-spent":
      case "tokens-used":
      case "pace-changed":
        break;
    }
  }
  const trials = started?.trials ?? [];
  return {
    iteration: started?.iteration ?? null,
    cases: started?.cases ?? [],
    basis: started?.basis ?? null,
    casesAsRun,
    casesAsGraded,
    trials,
    runs: byTrialId(trials, finished),
    gradings: byTrialId(trials, graded),
    committed: new Map([...finished].filter(([, event]) => commits(event))),
    madeUnder,
    ends,
    attempts,
    caseFolders,
    notes,
    reported,
    ended,
  };
}

function keepCase(kept: Map<string, Case>, id: string, one: Case | undefined): void {
  if (one !== undefined) kept.set(id, one);
}

/** The trials that are still to run, in their order. */
export function remainingTrials(trials: readonly Trial[], state: IterationState): readonly Trial[] {
  return trials.filter((trial) => !state.committed.has(trialRef(trial)));
}

/** Runs that a crash or `--no-grade` left without verdicts; left-out runs get none. */
export function ungradedRuns(state: IterationState): readonly FinishedTrial[] {
  return [...state.runs]
    .filter(([id, event]) => commits(event) && !state.gradings.has(id))
    .map(([, event]) => event);
}

function commits(event: FinishedTrial | undefined): boolean {
  return event !== undefined && countsAs(event.run.outcome) !== "left-out";
}

function byTrialId<T>(trials: readonly Trial[], byRef: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map(
    trials.flatMap((trial) => {
      const found = byRef.get(trialRef(trial));
      return found === undefined ? [] : [[trial.id, found]];
    }),
  );
}

/** The run's folder without what its trial adds. */
function caseFolderOf({ folder, trial }: FinishedTrial): string {
  return folder.slice(0, -runFolderOf("", trial).length);
}
