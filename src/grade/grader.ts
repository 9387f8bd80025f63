import type { Check } from "../domain/check.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Subject } from "./subject.ts";

/** Decides one kind of check. A check it cannot decide is `unscored`, with the reason. */
export interface Grader<C extends Check = Check> {
  readonly name: string;
  decides(check: Check): check is C;
  /** One or more verdicts per check, in the order of the checks. Rejects only on abort. */
  grade(checks: readonly C[], subject: Subject, signal: AbortSignal): Promise<readonly Verdict[]>;
}
