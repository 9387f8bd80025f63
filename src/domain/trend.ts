import type { BenchmarkVerdict } from "./benchmark.ts";
import type { Layer } from "./check.ts";
import type { SummaryVerdict } from "./summary.ts";

/** One line of trend.jsonl: what a finished iteration came to. A later line on the same iteration replaces it. */
export interface TrendLine {
  readonly schema: 1;
  readonly iteration: number;
  /** When the iteration began, ISO 8601. */
  readonly at: string;
  readonly group: string | null;
  readonly suite: string;
  readonly harness: string;
  /** Null: the client's own default. */
  readonly model: string | null;
  readonly client: string | null;
  /** Of the skill's content; null without a skill. */
  readonly skill: string | null;
  /** Of the eval files' contents: another digest asks other questions. */
  readonly evals: string;
  readonly verdict: SummaryVerdict;
  readonly arms: Readonly<Record<string, TrendArm>>;
  /** Null where no arms were compared. */
  readonly lift: TrendLift | null;
}

/** Means are over counted runs; null is unknown. */
export interface TrendArm {
  readonly trials: number;
  readonly scored: number;
  readonly passed: number;
  readonly total: number;
  readonly layers: Readonly<Partial<Record<Layer, { readonly passed: number; readonly total: number }>>>;
  readonly meanScore: number | null;
  /** The share of runs that meet their gate. */
  readonly stability: number | null;
  readonly seconds: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

export interface TrendLift {
  readonly verdict: BenchmarkVerdict;
  readonly lift: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly pValue: number | null;
}
