import type { AnalysisOutcome } from "../../compare/analyze/analyze.ts";
import type { ChecksTogether, Flip } from "../../domain/flip.ts";
import type { HumanAgreement, HumanAnswer } from "../../compare/human.ts";
import type { BlindOutcome } from "../../compare/outcome.ts";
import type { Contender } from "../../compare/pair.ts";
import type { Uncompared } from "./pairs.ts";

/** What became of a comparison. */
export type Comparison =
  | Compared
  /** No case has runs on both sides that count. */
  | { readonly status: "nothing-counts"; readonly uncompared: readonly Uncompared[] }
  /** The signal fired. What was run and answered is kept. */
  | { readonly status: "interrupted"; readonly during: "runs" | "comparison" };

export interface Compared {
  readonly status: "compared";
  readonly verdict: ComparisonVerdict;
  /** What the two are called. */
  readonly versions: Readonly<Record<Contender, string>>;
  /** Check by check, those that did not change included; null where only single outputs are compared. */
  readonly flips: readonly Flip[] | null;
  /** All checks as one; null where none was decided on both sides. */
  readonly together: ChecksTogether | null;
  /** Null: no judge was asked. */
  readonly blind: BlindOutcome | null;
  /** Null: no person was asked. */
  readonly human: HumanOpinion | null;
  /** Null: none was wanted, or there is nobody to give it. */
  readonly analysis: AnalysisOutcome | null;
  /** Absolute path of what judges and people said; null where nobody was asked. */
  readonly folder: string | null;
  /** What a reader must know before trusting the rest. */
  readonly notes: readonly string[];
  /** Cases that both were to run, but that one has no run of that counts. */
  readonly uncompared: readonly Uncompared[];
}

export interface HumanOpinion {
  readonly answers: readonly HumanAnswer[];
  /** With the judges; null where none was asked. */
  readonly agreement: HumanAgreement | null;
}

/** `failed`: the second lost a check, or many a little, beyond chance, or the judges prefer the first beyond chance; `unfinished`: a run or a judgement is missing. */
export type ComparisonVerdict = "passed" | "failed" | "unfinished";

export function verdictOf({
  flips,
  together,
  blind,
  analysis,
  uncompared,
}: Pick<Compared, "flips" | "together" | "blind" | "analysis" | "uncompared">): ComparisonVerdict {
  const regressed = [together, ...(flips ?? [])].some((one) => one?.change === "regressed");
  if (regressed || blind?.winner === "first") return "failed";
  const unscored = (blind?.votes.unscored ?? 0) > 0;
  return uncompared.length > 0 || unscored || analysis?.status === "unanswered" ? "unfinished" : "passed";
}
