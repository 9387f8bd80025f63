import type { RunState } from "../domain/run-state.ts";

/** How many trials may be at work at once, which people can change while they are. */
export interface Pace {
  readonly state: RunState;
  /** As it was asked for, also while nothing starts. */
  readonly concurrency: number;
  /** Trials that may be at work now, those included that are: 0 while nothing new is to start. */
  readonly room: number;
  /** Agents that may be at work now: what has begun is not held up by a stop. */
  readonly agents: number;
  pause(): void;
  resume(): void;
  /** Nothing new starts; what has begun comes to its end. Cannot be taken back. */
  stop(by: Stopper | null): void;
  /** Who stopped it first; null: nobody, or whoever called. */
  readonly stoppedBy: Stopper | null;
  limit(concurrency: number): void;
  onChange(listener: () => void): void;
}

/** A person in another terminal, or a failed case. */
type Stopper = "control" | "failure";

export function createPace(wanted: number): Pace {
  let concurrency = wanted;
  let state: RunState = "running";
  let stoppedBy: Stopper | null = null;
  const listeners: (() => void)[] = [];
  const to = (next: RunState): void => {
    if (state === "stopping" || state === next) return;
    state = next;
    changed();
  };
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    get state() {
      return state;
    },
    get concurrency() {
      return concurrency;
    },
    get room() {
      return state === "running" ? concurrency : 0;
    },
    get agents() {
      return state === "paused" ? 0 : concurrency;
    },
    pause: () => to("paused"),
    resume: () => to("running"),
    stop(by) {
      if (state !== "stopping") stoppedBy = by;
      to("stopping");
    },
    get stoppedBy() {
      return stoppedBy;
    },
    limit(next) {
      concurrency = next;
      changed();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
