import type { LeftOutStatus } from "./run.ts";
import type { Rate, RunCounts } from "./summary.ts";

/**
 * On these very cases. `no difference seen`: whatever difference the runs leave possible is too small to matter.
 * `underpowered`: a difference worth having could well have been missed. `invalid`: no case was scored in both arms.
 */
export type BenchmarkVerdict = "better" | "worse" | "no difference seen" | "underpowered" | "invalid";

/** What comparing arms over the same cases showed. Computed from the journal alone. Null where there is nothing to say. */
export interface BenchmarkSummary {
  readonly verdict: BenchmarkVerdict;
  /** What to do now; null where nothing was to be decided: the text in the prompt. */
  readonly decision: BenchDecision | null;
  /** Results that look like a broken set-up: they stand in place of advice. */
  readonly alarms: readonly string[];
  /** The arm under test first. */
  readonly arms: readonly ArmSummary[];
  /** The one that the verdict is about first; none when there is only one arm. */
  readonly comparisons: readonly ArmComparison[];
  readonly cases: readonly CaseComparison[];
  /** Found by code, for a reader of the numbers; what matters most first. */
  readonly notes: readonly string[];
  /** Null: every case was run as often as planned. */
  readonly adaptive: AdaptiveBenchmark | null;
  /** Null unless one arm was compared with itself. */
  readonly noise: RunNoise | null;
  /** How the finding stands among the other benchmarks of the same call; absent for a single one. */
  readonly among?: AmongMany;
}

export interface BenchDecision {
  /** `fix first`: an alarm, or nothing to compare. `go on`: one arm against itself, and no more than chance was seen. */
  readonly action: "ship" | "do not ship" | "add runs" | "add cases" | "fix first" | "go on";
  /** What to add, in all cases and arms; null unless runs are to be added. */
  readonly moreRuns: number | null;
  /** What that is likely to cost; null where it is not known. */
  readonly costUsd: number | null;
  /** Null unless cases are to be added. */
  readonly moreCases: number | null;
  /** One sentence. */
  readonly text: string;
}

interface AmongMany {
  readonly benchmarks: number;
  /** Benjamini and Hochberg's. */
  readonly adjustedPValue: number | null;
  /** A better or worse that still stands. */
  readonly holds: boolean;
}

/** `repeated` is over the checks that are compared. */
export interface ArmSummary extends RunCounts {
  readonly arm: string;
  /** Null: there is no second arm. */
  readonly compared: ComparedChecks | null;
  readonly trials: number;
  /** Runs with at least one decided check. */
  readonly scored: number;
  /** Runs that count but of which no check could be decided. */
  readonly undecided: number;
  /** Taken over from an earlier iteration. */
  readonly reused: number;
  /** Why results are missing, one per cause; empty where none is. */
  readonly missing: readonly MissingCause[];
}

/** An arm on the checks that the verdict is about. */
export interface ComparedChecks {
  /** Its rate is the mean over cases, and its interval by case. */
  readonly checks: Rate;
  readonly cases: number;
  /** Decided in runs that count, and yet not compared. */
  readonly leftOut: number;
}

export type MissingCause =
  | {
      readonly kind: "left-out";
      readonly status: LeftOutStatus;
      readonly reason: string;
      readonly runs: number;
    }
  | {
      readonly kind: "unscored";
      readonly reason: string;
      readonly checks: number;
      /** With at least one such check. */
      readonly runs: number;
    };

/** Over the checks that both arms are held to. */
export interface ArmComparison {
  readonly treatment: string;
  readonly baseline: string;
  readonly passRate: LiftComparison;
  readonly seconds: MeasureChange | null;
  readonly tokens: MeasureChange | null;
  readonly costUsd: MeasureChange | null;
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Where bounds and test disagree the test decides: `shrunk` past a zero that it rejects, `widened` to one that it keeps; absent: they agree. */
export interface TestedBounds extends Bounds {
  readonly adjusted?: "shrunk" | "widened";
}

/** Two answers: what the runs say of these very cases, which the verdict and gates rest on, and what the cases say of others. */
export interface LiftComparison {
  readonly verdict: BenchmarkVerdict;
  /** Scored in both arms. */
  readonly cases: number;
  readonly casesLeftOut: number;
  readonly runs: { readonly treatment: number; readonly baseline: number };
  readonly gains: number;
  readonly losses: number;
  readonly ties: number;
  /** Means over cases of the mean pass rate of a case's runs. */
  readonly rates: { readonly treatment: number; readonly baseline: number } | null;
  readonly lift: number | null;
  /** Zero is inside (a bound of zero too) exactly when `pValue` is above `alpha`. */
  readonly interval: TestedBounds | null;
  readonly alpha: number;
  /** How many results there were, this one included, while runs were added; absent: it is the first. */
  readonly look?: number;
  readonly minEffect: number;
  /** Two-sided, from dealing the arm labels of runs anew within each case. */
  readonly pValue: number | null;
  readonly pWorse: number | null;
  readonly smallestPValue: number | null;
  readonly plannedEffect: number | null;
  readonly runsNeeded: number | null;
  readonly otherCases: OtherCasesAnswer;
  readonly explanation: string;
}

/** On other cases like these. */
export interface OtherCasesAnswer {
  /** `too few`: no outcome over so many cases says anything about others. */
  readonly verdict: "better" | "worse" | "undecided" | "too few" | "invalid";
  readonly interval: Bounds | null;
  readonly pValue: number | null;
  /** With 95 % confidence, at least this share of such cases improves, or gets worse. */
  readonly improvesAtLeast: number | null;
  readonly worsensAtLeast: number | null;
  /** In all, to say more; null once decided. */
  readonly casesNeeded: number | null;
}

export interface MeasureChange {
  readonly cases: number;
  readonly difference: number;
  readonly interval: Bounds | null;
  readonly pValue: number;
  /** Geometric mean over cases of treatment over baseline; null where none has both above zero. */
  readonly ratio: number | null;
  /** Null for a single case. */
  readonly ratioInterval: Bounds | null;
}

export interface CaseComparison {
  readonly caseId: string;
  readonly name: string | null;
  readonly treatment: ArmCase;
  readonly baseline: ArmCase;
  /** Of the mean pass rates over the shared checks. */
  readonly difference: number | null;
  /** Why the case shows nothing in favour of the arm under test; empty where it does. */
  readonly noSignal: readonly string[];
}

export interface ArmCase {
  readonly runs: number;
  readonly scored: number;
  readonly passRate: number | null;
  /** Over n - 1; null for fewer than two runs. */
  readonly stddev: number | null;
}

/** How often the data were looked at, and what each look had to reach. */
export interface AdaptiveBenchmark {
  readonly maxLooks: number;
  readonly decidedAt: number | null;
  /** The look after which going on was hardly worth it. */
  readonly givenUpAt: number | null;
  /** An alarm that more runs would not have cured, and so none were made. */
  readonly stoppedBy: string | null;
  readonly looks: readonly {
    readonly runs: number;
    readonly threshold: number;
    readonly pValue: number | null;
  }[];
  /** Of each case in each arm, at most. */
  readonly maxRuns: number;
  /** What the same benchmark would have taken without stopping early. */
  readonly plannedRuns: number;
  readonly runs: number;
}

/** One arm against itself: how much runs vary where nothing differs. */
export interface RunNoise {
  readonly cases: number;
  /** Of odd runs against even ones. Small: the order of runs matters, which it must not. */
  readonly pValue: number;
  /** What the clearest outcome of so many runs would have given: above alpha, nothing could have been seen. */
  readonly smallestPValue: number;
  /** Of each case in each half, so that something can be seen. */
  readonly runsNeeded: number;
  readonly alpha: number;
  /** Standard deviation of a run's pass rate around its case's mean. */
  readonly noiseSd: number;
  /** Standard error that this noise gives a lift with as many runs per arm. */
  readonly liftError: number;
  readonly explanation: string;
}
