import type { Usage } from "./run.ts";
import type { Verdict } from "./verdict.ts";

/** What grading one run gave: its verdicts, and what the judge said beside them. */
export interface Grading {
  readonly trialId: string;
  readonly verdicts: readonly Verdict[];
  readonly claims: readonly CheckedClaim[];
  /** Null when the judge saw nothing worth raising about the checks, or when no judge was asked. */
  readonly evalFeedback: EvalFeedback | null;
  /** The model that judged; null when code decided everything. */
  readonly judgeModel: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** What grading itself used, apart from the agent. */
  readonly usage: Usage;
}

/** A statement found in the output and looked up, whether or not a check asks for it. */
export interface CheckedClaim {
  readonly claim: string;
  readonly type: "factual" | "process" | "quality";
  readonly verified: boolean;
  readonly evidence: string;
}

/** Criticism of the checks themselves. */
export interface EvalFeedback {
  readonly suggestions: readonly { readonly assertion: string | null; readonly reason: string }[];
  readonly overall: string;
}
