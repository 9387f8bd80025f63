import type {
  AdaptiveSummary,
  CanarySummary,
  Confusion,
  QuerySummary,
  TriggerAgreement,
  TriggerSummary,
  TriggerValidity,
} from "../../domain/triggers.ts";
import type { Rate } from "../../domain/summary.ts";

/** triggers.json: what skill-creator's run_eval prints, and more beside it. */
export interface TriggersFile {
  readonly skill_name: string;
  readonly description: string;
  readonly results: readonly TriggerResult[];
  readonly summary: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly unsettled: number;
    readonly unscored: number;
    readonly precision: Rate;
    readonly recall: Rate;
    readonly accuracy: Rate;
  };
  readonly threshold: number;
  readonly validity: TriggerValidity;
  readonly canary: CanarySummary;
  readonly confusion: readonly Confusion[];
  readonly adaptive: AdaptiveSummary | null;
  readonly agreement: TriggerAgreement | null;
}

interface TriggerResult {
  readonly query: string;
  readonly should_trigger: boolean;
  /** Over the first runs, which every query has; null when none of them could be counted. */
  readonly trigger_rate: number | null;
  readonly triggers: number;
  /** Those that count; the others are in `left_out`. */
  readonly runs: number;
  /** By the rate alone, and false when nothing could be said; `status` tells what is sure. */
  readonly pass: boolean;
  /** With the repeats of a query that was unsettled: what `status` rests on. */
  readonly repeated: QuerySummary["repeated"];
  /** The fewest that could settle it; null: it is settled, unscored, or out of reach. */
  readonly more_runs: number | null;
  readonly id: string;
  readonly status: QuerySummary["status"];
  readonly reason: string;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly rival: string | null;
  readonly other_skills: Readonly<Record<string, number>>;
  readonly left_out: Readonly<Record<string, number>>;
}

export function triggersFile(summary: TriggerSummary, agreement: TriggerAgreement | null): TriggersFile {
  const { queries, threshold, validity, canary, confusion, adaptive, precision, recall, accuracy } = summary;
  const count = (status: QuerySummary["status"]) => queries.filter((query) => query.status === status).length;
  return {
    skill_name: summary.skill,
    description: summary.description ?? "",
    results: queries.map(toResult),
    summary: {
      total: queries.length,
      passed: count("passed"),
      failed: count("failed"),
      unsettled: count("unsettled"),
      unscored: count("unscored"),
      precision,
      recall,
      accuracy,
    },
    threshold,
    validity,
    canary,
    confusion,
    adaptive,
    agreement,
  };
}

function toResult(query: QuerySummary): TriggerResult {
  const { fired, status, leaning } = query;
  const { low, high } = fired;
  return {
    query: query.query,
    should_trigger: query.shouldTrigger,
    trigger_rate: fired.rate,
    triggers: fired.passed,
    runs: fired.total,
    pass: leaning === "passed",
    repeated: query.repeated,
    more_runs: query.moreRuns,
    id: query.caseId,
    status,
    reason: query.reason,
    interval: low === null || high === null ? null : { low, high },
    rival: query.rival,
    other_skills: query.others,
    left_out: query.leftOut,
  };
}
