import type { QuerySummary, TriggerAgreement, TriggerSummary } from "../domain/triggers.ts";
import { rateOf } from "../stats/rate.ts";
import { fires } from "./summarize.ts";

type Fired = Pick<TriggerSummary, "threshold" | "queries">;

/** How two iterations that asked the same queries agree; null when they have none in common that both could score. */
export function agreementOf(
  here: Fired,
  there: Fired & { readonly harness: string; readonly iteration: number },
): TriggerAgreement | null {
  const others = new Map(scored(there).map((query) => [query.query, fires(query, there.threshold)]));
  const shared = scored(here).filter(({ query }) => others.has(query));
  if (shared.length === 0) return null;
  const compared = shared.map((query) => ({
    query: query.query,
    here: fires(query, here.threshold),
    there: others.get(query.query) === true,
  }));
  const same = compared.filter((one) => one.here === one.there);
  return {
    harness: there.harness,
    iteration: there.iteration,
    agreement: rateOf(same.length, compared.length),
    bothFire: same.filter((one) => one.here).length,
    neitherFires: same.filter((one) => !one.here).length,
    onlyHere: compared.filter((one) => one.here && !one.there).map(({ query }) => query),
    onlyThere: compared.filter((one) => !one.here && one.there).map(({ query }) => query),
  };
}

function scored({ queries }: Fired): readonly QuerySummary[] {
  return queries.filter(({ fired }) => fired.total > 0);
}
