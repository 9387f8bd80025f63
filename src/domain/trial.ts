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
