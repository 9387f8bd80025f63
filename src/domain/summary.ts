import type { BenchmarkSummary } from "./benchmark.ts";
import type { Layer } from "./check.ts";
import type { BrokenOffStatus, LeftOutStatus, Outcome, Usage } from "./run.ts";
import type { Variant } from "./trial.ts";
import type { TriggerSummary } from "./triggers.ts";

/** Rates, gates and costs over the verdicts of one iteration. Everything in it can be computed again from the journal. */
export interface Summary {
  readonly suite: string;
  readonly iteration: number;
  readonly harness: string;
  readonly model: string | null;
  readonly verdict: SummaryVerdict;
  readonly gates: readonly Gate[];
  /** Planned, of tasks and queries. */
  readonly trials: number;
  readonly variants: readonly VariantSummary[];
  readonly cases: readonly CaseSummary[];
  /** Null when no trigger query was asked. */
  readonly triggers: TriggerSummary | null;
  /** Null when no arms were compared. */
  readonly benchmark: BenchmarkSummary | null;
  readonly missing: Missing;
  /** What the agents used; runs that were taken over from earlier iterations are not in it. */
  readonly usage: Usage;
  readonly spending: Spending;
  /** What the judges used. */
  readonly judgeUsage: Usage;
  /** The agents' time, added up, without runs that were taken over; null: no run says. */
  readonly durationMs: number | null;
  /** What judges and agents said beside the verdicts. */
  readonly remarks: readonly Remark[];
  /** Results that look like a broken set-up rather than a finding. */
  readonly alarms: readonly string[];
}

/** What the agents of this iteration were paid for, and what was not paid again. */
export interface Spending {
  /** Over every attempt that was made here, also those that another one replaced. */
  readonly made: {
    readonly attempts: number;
    readonly usage: Usage;
    /** Of them, those that do not say what they cost, such as probes that were ended once the skill fired; absent: none. */
    readonly unpriced?: number;
  };
  /** Of it, by attempts that are not in the numbers: tried again, or run again since. */
  readonly replaced: { readonly attempts: number; readonly usage: Usage };
  /** Runs that were taken over from earlier iterations, and what they took there: all of it is saved here. */
  readonly reused: { readonly runs: number; readonly usage: Usage; readonly durationMs: number | null };
}

/** `unfinished` means that something which should have been counted could not be. */
export type SummaryVerdict = "passed" | "failed" | "unfinished" | "ungraded";

/** A condition the exit code depends on. */
export interface Gate {
  readonly name: string;
  readonly caseId: string | null;
  readonly met: boolean;
  readonly detail: string;
  /** What all runs of a case are held to together; absent: nothing but their checks. */
  readonly bounds?: readonly Bound[];
}

/** A demand that an eval file or a person sets, and what was reached. */
export interface Bound {
  /** As it is spelled where it was set, e.g. `grade_thresholds.min_pass_rate`; `checks`: that every check passes. */
  readonly name: string;
  /** The least that is asked for. */
  readonly bound: number;
  /** Null: nothing was scored that could be held against it. */
  readonly value: number | null;
  readonly met: boolean;
}

/**
 * A share with its 95 % interval; null where nothing was counted. What hangs together counts once in the interval: checks
 * by case, the checks of one case by run. Null too where only one such was counted.
 */
export interface Rate {
  readonly passed: number;
  readonly total: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** What stands beside the rate of one arm: runs in it and not in it, and how they ended. */
export interface RunCounts {
  /** Runs that the rates are about. */
  readonly counted: number;
  /** Of them, those with a failed check. */
  readonly failing: number;
  /** Of them, those that came to no end of their own: all of their checks count as failed. */
  readonly brokeOff: Readonly<Partial<Record<BrokenOffStatus, number>>>;
  readonly leftOut: Readonly<Partial<Record<LeftOutStatus, number>>>;
  readonly notRun: number;
  /** In runs that count. */
  readonly unscoredChecks: number;
  /** Counted runs that took the skill up; null where none is installed, or where that cannot be seen. */
  readonly loaded: number | null;
  /** Null unless every case was run more than once. */
  readonly repeated: Repeated | null;
}

/** How a case's runs do together, a run passing when every scored check does. Means over cases. */
export interface Repeated {
  /** As many as every case has. */
  readonly runs: number;
  readonly cases: number;
  /** At least one of so many runs passes (pass@k). */
  readonly any: Rate;
  /** All of them pass (pass^k). */
  readonly all: Rate;
}

/** Of tasks; where there is none, of the first runs of trigger queries. */
export interface VariantSummary extends RunCounts {
  readonly variant: Variant;
  readonly over: CaseSummary["kind"];
  readonly trials: number;
  /** With a scored check. */
  readonly cases: number;
  /** Over the checks of all counted runs. */
  readonly checks: Rate;
  /** Queries are the layer `trigger`. */
  readonly layers: Readonly<Partial<Record<Layer, Rate>>>;
}

export interface CaseSummary {
  readonly caseId: string;
  readonly name: string | null;
  readonly kind: "task" | "trigger";
  readonly variant: Variant;
  readonly trials: readonly TrialSummary[];
  /** Of a query, over its first runs: repeats only settle it. */
  readonly checks: Rate;
  /** The share of scored trials that meet their gate; null with none. Of a query, over its first runs. */
  readonly stability: number | null;
}

export interface TrialSummary {
  readonly trialId: string;
  readonly outcome: Outcome;
  readonly passed: number;
  readonly failed: number;
  readonly unscored: number;
  /** Mean of the judge's scores; null without any. */
  readonly meanScore: number | null;
  /** Null when the trial was left out or has no check. */
  readonly meetsGate: boolean | null;
  /** What it is held to; empty when nothing was scored. */
  readonly bounds: readonly Bound[];
  readonly durationMs: number | null;
}

/** Something beside the verdicts that a person should know. */
export interface Remark {
  readonly kind:
    | "speaks-to-judge"
    | "weak-check"
    | "not-covered"
    | "false-claim"
    | "uncertainty"
    | "needs-review"
    | "workaround";
  /** The runs that it was said of. */
  readonly trialIds: readonly string[];
  /** The check that it is about, by its text; null: none of them. */
  readonly check: string | null;
  readonly text: string;
}

/** What is not in the numbers, and why. */
export interface Missing {
  /** Planned trials that never ran. */
  readonly notRun: number;
  readonly leftOut: Readonly<Partial<Record<LeftOutStatus, number>>>;
  readonly unscoredChecks: number;
  readonly ungradedCases: number;
}
