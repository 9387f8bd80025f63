import type { Check } from "../domain/check.ts";
import type {
  AddressedPassage,
  CheckedClaim,
  EvalFeedback,
  Extraction,
  JudgeAgreement,
} from "../domain/grading.ts";
import type { Usage } from "../domain/run.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Subject } from "./subject.ts";

/** Decides some kinds of check. A check it cannot decide is `unscored`, with the reason. */
export interface Grader<C extends Check = Check> {
  readonly name: string;
  /** What deciding takes; whoever needs less is asked first. */
  readonly needs: "code" | "network" | "model";
  /** Whether this grader takes the check. */
  decides(check: Check): boolean;
  /** One or more verdicts per check that is not idle, in the order of the checks. Rejects only on abort. */
  grade(checks: readonly C[], subject: Subject, signal: AbortSignal): Promise<Graded>;
}

/** What one grader found; everything but the verdicts is empty where no model was asked. */
export interface Graded {
  readonly verdicts: readonly Verdict[];
  readonly claims?: readonly CheckedClaim[];
  readonly evalFeedback?: EvalFeedback | null;
  /** The model that judged. */
  readonly judgeModel?: string | null;
  readonly usage?: Usage;
  readonly extraction?: Extraction;
  readonly agreement?: JudgeAgreement;
  /** What of the run speaks to the judge. */
  readonly addressed?: readonly AddressedPassage[];
  /** Ids of checks that there was nothing to hold against, such as fields of a section without entries. */
  readonly idle?: readonly string[];
}
