import type { QuerySummary } from "../../domain/triggers.ts";
import type { Rate } from "../../domain/summary.ts";
import { rateOf } from "../../stats/rate.ts";
import type { TheseCases } from "../../stats/these-cases.ts";
import { confidence, points, pText } from "../../stats/words.ts";
import { passedOf } from "./attempt.ts";
import type { FreshTest } from "./optimise.ts";

/** Only what the fresh test confirms is an improvement. */
export function isImproved(fresh: FreshTest | null): boolean {
  return fresh?.comparison?.verdict === "better";
}

/** The share of the scored queries that were answered as they should. */
export function passRate(queries: readonly QuerySummary[]): Rate {
  return rateOf(passedOf(queries), queries.filter(({ status }) => status !== "unscored").length);
}

/** What the runs of the fresh queries say, and what would say more. */
export function comparisonText({
  verdict,
  cases,
  rates,
  lift,
  interval,
  pValue,
  alpha,
  runsNeeded,
}: TheseCases): string {
  if (rates === null || lift === null || interval === null || pValue === null)
    return "no query was scored with both descriptions";
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const found = `on ${cases === 1 ? "this 1 query" : `these ${cases} queries`} ${percent(rates.baseline)} -> ${percent(rates.treatment)} of runs were right (${points(lift)} points, ${confidence(alpha)} interval ${points(interval.low)} to ${points(interval.high)}, p ${pText(pValue, alpha)})`;
  if (verdict !== "undecided") return found;
  return runsNeeded === null
    ? `${found}; more queries would tell more`
    : `${found}; --runs ${runsNeeded}, or more queries, would tell more`;
}
