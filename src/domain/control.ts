import type { IterationEnd, ServiceLimit } from "./event.ts";
import type { Purpose } from "./iteration.ts";
import type { RunState } from "./run-state.ts";

/** One call that is at work now, in this or another terminal. JSON-safe. */
export interface RunStatus {
  /** Short; names it for `assay control`. */
  readonly id: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly state: RunState;
  /** Trials at once. */
  readonly concurrency: number;
  /** In the order they began. */
  readonly iterations: readonly IterationStatus[];
  readonly spending: SpendingStatus;
  /** What each model service lets through at the moment, by name. */
  readonly services: Readonly<Record<string, ServiceLimit>>;
}

export interface IterationStatus {
  readonly suite: string;
  readonly number: number;
  readonly purpose: Purpose;
  readonly harness: string;
  /** Null: the client's own default. */
  readonly model: string | null;
  /** Absolute path of the iteration folder. */
  readonly folder: string;
  readonly trials: {
    readonly planned: number;
    /** Have ended, whether they count or not. */
    readonly done: number;
    readonly leftOut: number;
    /** Are graded and miss their gate. */
    readonly failed: number;
  };
  readonly atWork: readonly TrialStatus[];
  /** Null: it is at work. */
  readonly ended: IterationEnd | null;
}

export interface TrialStatus {
  readonly trialId: string;
  /** ISO 8601; when its attempt began. */
  readonly since: string;
  readonly attempt: number;
  /** The tool that it used last; null: none so far. */
  readonly lastTool: string | null;
}

/** Of agents and judges together. Where there is no limit, what is under way is not in it yet. */
export interface SpendingStatus {
  /** Null: not known. */
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** Null: no limit. */
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
}
