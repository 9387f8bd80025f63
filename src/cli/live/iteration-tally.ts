import type { EventOf } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { Trial } from "../../domain/trial.ts";

/** How far one iteration is. */
export class IterationTally {
  readonly suite: string;
  readonly harness: string;
  readonly planned = new Set<string>();
  readonly done = new Set<string>();
  readonly failed = new Set<string>();
  isResumed = false;
  isEnded = false;
  readonly #names = new Map<string, string>();
  #label: (trialId: string) => string = (trialId) => trialId;

  constructor({ suite, harness }: Iteration) {
    this.suite = suite;
    this.harness = harness;
  }

  begin({ trials, cases }: EventOf<"iteration-started">): void {
    this.isEnded = false;
    for (const { id, name } of cases) if (name !== null) this.#names.set(id, name);
    for (const trial of trials) this.planned.add(trial.id);
    this.#label = labels(trials, this.#names);
  }

  /** Whoever was thought to be done and is tried again is not. */
  open(trialId: string): void {
    this.planned.add(trialId);
    this.done.delete(trialId);
    this.failed.delete(trialId);
  }

  end(trialId: string): void {
    this.planned.add(trialId);
    this.done.add(trialId);
  }

  label(trialId: string): string {
    return this.#label(trialId);
  }
}

/** The case, and of the rest what tells its trials apart. */
function labels(trials: readonly Trial[], names: ReadonlyMap<string, string>): (trialId: string) => string {
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const hasArms = new Set(trials.map(({ variant }) => variant)).size > 1;
  const hasRepeats = trials.some(({ repetition }) => repetition > 1);
  return (trialId) => {
    const trial = byId.get(trialId);
    if (trial === undefined) return trialId;
    const name = names.get(trial.caseId);
    return [
      trial.caseId,
      ...(name === undefined || name === trial.caseId ? [] : [name]),
      ...(hasArms ? [trial.variant] : []),
      ...(hasRepeats ? [`run-${trial.repetition}`] : []),
    ].join(" ");
  };
}
