import type { Rate } from "./summary.ts";

/** Share of runs from which on a query counts as firing, unless the user says otherwise. */
export const DEFAULT_TRIGGER_THRESHOLD = 0.5;
/** Runs per query, unless the user says otherwise. */
export const DEFAULT_TRIGGER_RUNS = 3;

/** What the trigger queries of one iteration showed. Computed from the runs, never from what a report says. */
export interface TriggerSummary {
  readonly skill: string;
  readonly description: string | null;
  /** From this share of runs on, bound included, a query counts as firing. */
  readonly threshold: number;
  readonly validity: TriggerValidity;
  readonly canary: CanarySummary;
  readonly queries: readonly QuerySummary[];
  /** Over queries, not runs: of those that fired, how many should have. */
  readonly precision: Rate;
  /** Of those that should fire, how many did. */
  readonly recall: Rate;
  readonly accuracy: Rate;
  readonly confusion: readonly Confusion[];
  /** Null: every query was run as often as planned. */
  readonly adaptive: AdaptiveSummary | null;
}

/** An invalid result says nothing about the skill, only about the set-up. */
export type TriggerValidity =
  | { readonly status: "valid" }
  | { readonly status: "invalid"; readonly reason: string };

export type CanarySummary =
  | { readonly status: "fired"; readonly runs: number }
  | { readonly status: "silent"; readonly runs: number; readonly cause: string }
  /** It could not be run, so it guards nothing. */
  | { readonly status: "unknown"; readonly reason: string };

export interface QuerySummary {
  readonly caseId: string;
  readonly query: string;
  readonly shouldTrigger: boolean;
  /** The other skill that must answer instead; null where none is named. */
  readonly rival: string | null;
  /** In how many of its valid runs the skill fired. */
  readonly fired: Rate;
  /** Runs that say nothing, by why. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Other skills that fired, with the number of valid runs. */
  readonly others: Readonly<Record<string, number>>;
  /** `unscored`: no valid run. */
  readonly status: "passed" | "failed" | "unscored";
  readonly reason: string;
}

/** How many runs of queries that should fire `expected` fired `fired`; null stands for no skill. */
export interface Confusion {
  readonly expected: string | null;
  readonly fired: string | null;
  readonly runs: number;
}

export interface AdaptiveSummary {
  /** What the same queries would have taken without it. */
  readonly plannedRuns: number;
  readonly runs: number;
  /** Saved runs times the mean tokens of a run; null where tokens are unknown. An estimate. */
  readonly savedTokens: number | null;
}

/** Two iterations that asked the same queries in different ways. */
export interface TriggerAgreement {
  readonly harness: string;
  readonly iteration: number;
  /** Queries on which both say the same, of those that both could score. */
  readonly agreement: Rate;
  readonly bothFire: number;
  readonly neitherFires: number;
  /** Only here, not in the other iteration. */
  readonly onlyHere: readonly string[];
  readonly onlyThere: readonly string[];
}
