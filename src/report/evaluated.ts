import type { Grading } from "../domain/grading.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { Run } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";

/** A plan whose result people have seen. */
export interface Reported {
  readonly iteration: Iteration;
  readonly trials: readonly Trial[];
}

/** What the journal holds about an iteration: the last word on each trial, by trial id. */
export interface Evaluated {
  readonly iteration: Iteration;
  readonly cases: readonly Case[];
  readonly trials: readonly Trial[];
  readonly runs: ReadonlyMap<string, { readonly run: Run }>;
  /** Every attempt that ended, also those that another one replaced; absent: only `runs` are known. */
  readonly ends?: readonly { readonly run: Run }[];
  readonly gradings: ReadonlyMap<string, Grading>;
  /** What was planned each time a result was reported, oldest first; absent: only once. */
  readonly reported?: readonly Reported[];
}
