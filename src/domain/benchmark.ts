import type { LeftOutStatus } from "./run.ts";

/** `invalid`: no case was scored in both arms. `underpowered`: a difference worth having could well have been missed. */
export type BenchmarkVerdict = "better" | "worse" | "no difference seen" | "underpowered" | "invalid";

/** What comparing arms over the same cases showed. Computed from the journal alone. Null where there is nothing to say. */
export interface BenchmarkSummary {
  readonly verdict: BenchmarkVerdict;
  /** The arm under test first. */
  readonly arms: readonly ArmSummary[];
  /** The one that the verdict is about first; none when there is only one arm. */
  readonly comparisons: readonly ArmComparison[];
  readonly cases: readonly CaseComparison[];
  /** Found by code, for a reader of the numbers. */
  readonly notes: readonly string[];
  /** Null: every case was run as often as planned. */
  readonly adaptive: AdaptiveBenchmark | null;
  /** Null unless one arm was compared with itself. */
  readonly falseAlarms: FalseAlarms | null;
  /** How the finding stands among the other benchmarks of the same call; absent for a single one. */
  readonly among?: AmongMany;
}

interface AmongMany {
  readonly benchmarks: number;
  /** Benjamini and Hochberg's. */
  readonly adjustedPValue: number | null;
  /** A better or worse that still stands. */
  readonly holds: boolean;
}

export interface ArmSummary {
  readonly arm: string;
  readonly trials: number;
  /** Runs with at least one decided check. */
  readonly scored: number;
  /** Runs that count but of which no check could be decided. */
  readonly undecided: number;
  readonly leftOut: Readonly<Partial<Record<LeftOutStatus, number>>>;
  readonly notRun: number;
  /** Taken over from an earlier iteration. */
  readonly reused: number;
  /** Why results are missing, one per cause; empty where none is. */
  readonly missing: readonly MissingCause[];
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

/** The case is the unit: means over runs, then differences over cases. */
export interface LiftComparison {
  readonly verdict: BenchmarkVerdict;
  readonly cases: number;
  readonly casesLeftOut: number;
  readonly gains: number;
  readonly losses: number;
  readonly ties: number;
  readonly lift: number | null;
  readonly interval: Bounds | null;
  readonly alpha: number;
  readonly minEffect: number;
  readonly pValue: number | null;
  readonly smallestPValue: number | null;
  readonly minimumDetectableEffect: number | null;
  readonly plannedEffect: number | null;
  readonly casesNeeded: number | null;
  readonly runsNeeded: number | null;
  readonly explanation: string;
}

export interface MeasureChange {
  readonly cases: number;
  readonly difference: number;
  readonly interval: Bounds | null;
  readonly pValue: number;
  readonly ratio: number | null;
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
  readonly looks: readonly {
    readonly runs: number;
    readonly threshold: number;
    readonly pValue: number | null;
  }[];
  /** What the same benchmark would have taken without stopping early. */
  readonly plannedRuns: number;
  readonly runs: number;
}

/** One arm against itself: whatever is found is false. */
export interface FalseAlarms {
  readonly resamples: number;
  readonly alarms: number;
  readonly rate: number;
  readonly alpha: number;
  readonly explanation: string;
}
