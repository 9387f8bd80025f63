import type { BenchDecision, BenchmarkVerdict, Bounds, OtherCasesAnswer } from "./benchmark.ts";
import type { Layer } from "./check.ts";
import type { Purpose } from "./iteration.ts";
import type { SummaryVerdict } from "./summary.ts";

/** One line of trend.jsonl: what a finished iteration came to. A later line on the same iteration replaces it. */
export interface TrendLine {
  readonly schema: 1;
  readonly iteration: number;
  readonly purpose: Purpose;
  /** Only some cases were run; absent: all. */
  readonly partial?: true;
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
  /** Trigger queries that chance may have decided, and all of them; absent: none was, or it is not known. */
  readonly unsettled?: { readonly queries: number; readonly of: number };
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
  /** 95 %, by case, of the share that passed; absent or null: there is none. */
  readonly interval?: Bounds | null;
  /** Checks of counted runs that nobody could decide; absent: not known. */
  readonly unscored?: number;
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
  /** What the interval and the verdict allow for, where that is not 0.05: the runs were looked at before, or it was asked for. */
  readonly alpha?: number;
  readonly pValue: number | null;
  /** Scored in both arms; absent: not known. */
  readonly cases?: number;
  /** What was to be done about it; absent: not known, or nothing. */
  readonly action?: BenchDecision["action"];
  /** What the cases say of others like them; absent: not known. */
  readonly otherCases?: Pick<OtherCasesAnswer, "verdict" | "improvesAtLeast" | "worsensAtLeast">;
}
