/** Which skill is installed for a trial. `inline` puts the skill's text into the prompt instead. */
export const VARIANTS = ["with_skill", "without_skill", "old_skill", "new_skill", "inline"] as const;
export type Variant = (typeof VARIANTS)[number];

/** One case x variant x repetition, within one skill, harness and model. */
export interface Trial {
  /** Readable and deterministic: `<case>/<variant>/run-<repetition>`. */
  readonly id: string;
  /** Hash of everything that determines the run; a finished trial with the same key is not run again. */
  readonly key: string;
  readonly caseId: string;
  readonly variant: Variant;
  /** Counts from 1. */
  readonly repetition: number;
}

/** What will be run for one iteration, in order. */
export interface Plan {
  /** Names the result folder's parent. */
  readonly suite: string;
  readonly harness: string;
  /** Null: the client's own default. */
  readonly model: string | null;
  readonly trials: readonly Trial[];
  readonly seed: number;
  readonly estimate: Estimate;
}

/** What running a plan may take; null where nothing is known to base it on. */
export interface Estimate {
  readonly runs: number;
  readonly minutes: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  /** Where the figures come from, in words. */
  readonly basis: string;
}
