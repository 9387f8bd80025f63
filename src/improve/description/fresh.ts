import type { QuerySummary } from "../../domain/triggers.ts";
import type { Rate } from "../../domain/summary.ts";
import { rateOf } from "../../stats/rate.ts";
import { passedOf } from "./attempt.ts";
import type { FreshTest } from "./optimise.ts";

/** Only what the fresh test shows beyond noise is an improvement. */
export function isImproved(fresh: FreshTest | null): boolean {
  return fresh?.comparison?.verdict === "better";
}

/** A pick that does worse on the fresh test was picked by chance. */
export function isWorse({ original, best }: FreshTest): boolean {
  return passedOf(best) < passedOf(original);
}

/** The share of the scored queries that were answered as they should. */
export function passRate(queries: readonly QuerySummary[]): Rate {
  return rateOf(passedOf(queries), queries.filter(({ status }) => status !== "unscored").length);
}
