import type { JsonObject } from "./json.ts";
import type { Case } from "./suite.ts";
import type { Rate } from "./summary.ts";
import type { Trial } from "./trial.ts";

/** Share of runs from which on a query counts as firing, unless the user says otherwise. */
export const DEFAULT_TRIGGER_THRESHOLD = 0.5;
/** Runs per query, unless the user says otherwise. */
export const DEFAULT_TRIGGER_RUNS = 3;
/** Runs of a query that stays unsettled, unless the user says otherwise. */
export const DEFAULT_MAX_TRIGGER_RUNS = 9;

/** Every query is run `first` times, and again while it is unsettled, up to `most`. */
export interface TriggerRuns {
  readonly first: number;
  readonly most: number;
}

/** As an iteration kept it among its options; one that kept none was run as often as it says, or as usual. */
export function triggerRunsIn({ triggerRuns, runs }: JsonObject): TriggerRuns {
  const { first, most } = (triggerRuns ?? {}) as JsonObject;
  if (typeof first === "number" && typeof most === "number") return { first, most };
  const planned = typeof runs === "number" ? runs : DEFAULT_TRIGGER_RUNS;
  return { first: planned, most: planned };
}

/** Repeats of what was in doubt came about by how the first runs ended, so no rate and no test may count them. */
export function isRepeat(
  { repetition }: Pick<Trial, "repetition">,
  { kind }: Pick<Case, "kind">,
  options: JsonObject,
): boolean {
  return kind === "trigger" && repetition > triggerRunsIn(options).first;
}

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
  /** Over the valid ones of its first runs, which every query has: repeating what is in doubt would push the rate off it. */
  readonly fired: Rate;
  /** Over all valid runs, repeats included: what the status rests on. */
  readonly repeated: { readonly fired: number; readonly runs: number };
  /** Of all runs, those that say nothing, by why. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Other skills that fired, with the number of valid ones of the first runs. */
  readonly others: Readonly<Record<string, number>>;
  /** `unsettled`: chance alone could have put the rate on this side of the threshold. `unscored`: no valid run. */
  readonly status: QueryStatus;
  /** What the rate says by itself; null for a query that is unscored. */
  readonly leaning: "passed" | "failed" | null;
  /** The fewest that could settle it; null: it is settled, unscored, or out of reach. */
  readonly moreRuns: number | null;
  readonly reason: string;
}

export type QueryStatus = "passed" | "failed" | "unsettled" | "unscored";

/** How many runs of queries that should fire `expected` fired `fired`; null stands for no skill. */
export interface Confusion {
  readonly expected: string | null;
  readonly fired: string | null;
  readonly runs: number;
}

export interface AdaptiveSummary {
  /** What the same queries would have taken, all run as often as allowed. */
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
