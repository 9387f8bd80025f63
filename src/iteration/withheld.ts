import type { Run } from "../domain/run.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { outputPath } from "../run/workspace/capture.ts";
import { type WithheldFile, withheldText } from "./mask-file.ts";

/** Packed files of a run that are not kept, because a secret is or may be inside. */
export interface Withheld {
  /** Relative to the folder of outputs. */
  readonly outputs: readonly WithheldFile[];
  /** What else, with paths in words. */
  readonly others: readonly WithheldFile[];
}

export const NOTHING_WITHHELD: Withheld = { outputs: [], others: [] };

/** The run says what is not among its results. */
export function withoutWithheld(run: Run, { outputs, others }: Withheld, mask: SecretMask): Run {
  if (outputs.length + others.length === 0) return run;
  const isWithheld = (path: string): boolean =>
    outputs.some((one) => one.path === mask.text(outputPath(path)));
  return {
    ...run,
    changes: run.changes.map((change) => (isWithheld(change.path) ? { ...change, captured: false } : change)),
    notes: [...run.notes, ...[...outputs, ...others].map((what) => withheldText(what))],
  };
}
