import type { Basis } from "./basis.ts";
import type { Grading } from "./grading.ts";
import type { Iteration } from "./iteration.ts";
import type { Run } from "./run.ts";
import type { RunState } from "./run-state.ts";
import type { Case } from "./suite.ts";
import type { TranscriptEvent } from "./transcript.ts";
import type { Trial } from "./trial.ts";

/**
 * The one union that feeds journal, terminal, viewer and reporters. JSON-safe and self-contained: with the durable
 * events of an iteration, and nothing else, every report about it can be built again.
 *
 *     iteration-started            a runner took the iteration up; repeated by each resume, the last one holds
 *       trial-started              an attempt begins; without a trial-finished it never happened
 *         agent-started            live only: the agent has its slot; until then the trial is only prepared
 *         trial-progress           live only: what the agent says and does
 *         trial-waiting            live only: a left-out trial is tried again after a while
 *       trial-finished             the commit: files first, then this event, then the trial counts as run
 *       verdicts-recorded          the run is graded; repeated by each regrading, the last one holds
 *       services-limited           live only: how far model services hold requests back
 *       money-spent                live only: what was spent of a budget
 *       tokens-used                live only: the same in tokens
 *       pace-changed               live only: trials were paused, resumed or stopped, or more or fewer may run at once
 *       note                       something a reader of the report must know
 *     iteration-finished           nothing more will come from this runner
 */
export type EvalEvent = EventHead & EventBody;

interface EventHead {
  /** ISO 8601. */
  readonly at: string;
}

export type EventBody =
  | {
      readonly kind: "iteration-started";
      readonly iteration: Iteration;
      /** The cases that the trials belong to, with their checks. */
      readonly cases: readonly Case[];
      /** Everything this iteration is to hold, in order, also what an earlier runner already finished. */
      readonly trials: readonly Trial[];
      readonly resumed: boolean;
      /** What the keys of the trials were made from; absent in journals of before it was kept. */
      readonly basis?: Basis;
    }
  | { readonly kind: "trial-started"; readonly trial: Trial; readonly attempt: number }
  | { readonly kind: "agent-started"; readonly trialId: string }
  | { readonly kind: "trial-progress"; readonly trialId: string; readonly event: TranscriptEvent }
  | {
      readonly kind: "trial-waiting";
      readonly trial: Trial;
      /** The one that comes next. */
      readonly attempt: number;
      readonly waitMs: number;
      /** What the last attempt ended with. */
      readonly reason: string;
    }
  | {
      readonly kind: "trial-finished";
      readonly trial: Trial;
      /** Counts from 1; a left-out trial may be tried again. */
      readonly attempt: number;
      readonly run: Run;
      /** The run's folder, relative to the iteration, with forward slashes. */
      readonly folder: string;
    }
  | { readonly kind: "verdicts-recorded"; readonly trial: Trial; readonly grading: Grading }
  | { readonly kind: "services-limited"; readonly limits: Readonly<Record<string, ServiceLimit>> }
  /** Of agents and judges together, with what was spent before a resume. Only where money is limited. */
  | { readonly kind: "money-spent"; readonly costUsd: number; readonly maxCostUsd: number }
  /** The same, where tokens are limited. */
  | { readonly kind: "tokens-used"; readonly tokens: number; readonly maxTokens: number }
  /** `concurrency` is how many trials may run at once, also while none starts. */
  | { readonly kind: "pace-changed"; readonly state: RunState; readonly concurrency: number }
  | {
      readonly kind: "note";
      /** Stable, `area/what`. */
      readonly code: string;
      readonly message: string;
      readonly trialId: string | null;
    }
  | { readonly kind: "iteration-finished"; readonly ended: IterationEnd };

/** What a model service lets through at the moment. */
export interface ServiceLimit {
  /** Requests at once. */
  readonly limit: number;
  readonly waiting: number;
  /** Until it may be asked again; 0 when it may. */
  readonly pausedMs: number;
  /** Refusals so far. */
  readonly limited: number;
}

/** Why a runner stopped. Only `complete` means that every trial was attempted. */
export type IterationEnd = "complete" | "interrupted";

type EventKind = EventBody["kind"];
export type EventOf<K extends EventKind> = Extract<EvalEvent, { readonly kind: K }>;

/** False for what is only shown live; its lasting form lies in the run's folder. */
export function isDurable(event: EvalEvent): boolean {
  return !LIVE.has(event.kind);
}

const LIVE: ReadonlySet<EventKind> = new Set([
  "agent-started",
  "trial-progress",
  "trial-waiting",
  "services-limited",
  "money-spent",
  "tokens-used",
  "pace-changed",
]);
