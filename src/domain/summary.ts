import type { BenchmarkSummary } from "./benchmark.ts";
import type { Layer } from "./check.ts";
import type { LeftOutStatus, Outcome, Usage } from "./run.ts";
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
  readonly variants: readonly VariantSummary[];
  readonly cases: readonly CaseSummary[];
  /** Null when no trigger query was asked. */
  readonly triggers: TriggerSummary | null;
  /** Null when no arms were compared. */
  readonly benchmark: BenchmarkSummary | null;
  readonly missing: Missing;
  /** What the agents used; runs that were taken over from earlier iterations are not in it. */
  readonly usage: Usage;
  /** What runs that were taken over had used, and nobody paid again; null: there is none. */
  readonly saved: Saved | null;
  readonly spending: Spending;
  /** What the judges used. */
  readonly judgeUsage: Usage;
  /** The agents' time, added up, without runs that were taken over. */
  readonly durationMs: number;
  /** Results that look like a broken set-up rather than a finding. */
  readonly alarms: readonly string[];
}

export interface Saved {
  readonly runs: number;
  readonly usage: Usage;
  readonly durationMs: number;
}

/** What the agents of this iteration were paid for, and what was not paid again. */
export interface Spending {
  /** Over every attempt that was made here, also those that another one replaced. */
  readonly made: { readonly attempts: number; readonly usage: Usage };
  /** Of it, by attempts that are not in the numbers: tried again, or run again since. */
  readonly replaced: { readonly attempts: number; readonly usage: Usage };
  /** Runs that were taken over from earlier iterations, and what they cost there. */
  readonly reused: { readonly runs: number; readonly usage: Usage };
}

/** `unfinished` means that something which should have been counted could not be. */
export type SummaryVerdict = "passed" | "failed" | "unfinished" | "ungraded";

/** A condition the exit code depends on. */
export interface Gate {
  readonly name: string;
  readonly caseId: string | null;
  readonly met: boolean;
  readonly detail: string;
}

/** A share with its 95 % interval; null where nothing was counted. */
export interface Rate {
  readonly passed: number;
  readonly total: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface VariantSummary {
  readonly variant: Variant;
  readonly trials: number;
  readonly scored: number;
  readonly leftOut: number;
  /** Over the checks of all scored trials. */
  readonly checks: Rate;
  readonly layers: Readonly<Partial<Record<Layer, Rate>>>;
}

export interface CaseSummary {
  readonly caseId: string;
  readonly name: string | null;
  readonly kind: "task" | "trigger";
  readonly variant: Variant;
  readonly trials: readonly TrialSummary[];
  readonly checks: Rate;
  /** The share of scored trials that meet their gate; null with none. */
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
  readonly durationMs: number;
}

/** What is not in the numbers, and why. */
export interface Missing {
  /** Planned trials that never ran. */
  readonly notRun: number;
  readonly leftOut: Readonly<Partial<Record<LeftOutStatus, number>>>;
  readonly unscoredChecks: number;
  readonly ungradedCases: number;
}
