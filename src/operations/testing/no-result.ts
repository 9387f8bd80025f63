import type { LeftOutStatus, Run } from "../../domain/run.ts";
import { outcomeText } from "../../report/text.ts";

/**
 * Why there is nothing to say about the skill. `not-recorded`: there is no recording of the run. `stale`: there is one of
 * another prompt, skill or set-up. `unscored`: a check could not be decided. `unsettled`: chance may have decided.
 */
export type NoResultReason = LeftOutStatus | "not-recorded" | "stale" | "unscored" | "unsettled";

/** Something kept a test from finding out. It is no failure of the skill, and no success. */
export class NoResultError extends Error {
  override readonly name = "NoResultError";
  readonly reason: NoResultReason;

  constructor(reason: NoResultReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export const NOT_RECORDED = "not recorded: run it once with ASSAY_LIVE=record, and commit the cassettes";

/** What to throw for a run that was left out. */
export function noResultOf({ outcome, replay }: Run): NoResultError {
  if (replay?.match === "miss") {
    const missing = replay.recordedAt === null;
    const text = missing
      ? NOT_RECORDED
      : `the recording no longer fits: ${replay.difference ?? "the requests differ"}. Record it again with ASSAY_LIVE=record`;
    return new NoResultError(missing ? "not-recorded" : "stale", text);
  }
  const status = outcome.status as LeftOutStatus;
  return new NoResultError(status, `no result (${outcomeText(outcome)}). This says nothing about the skill`);
}
