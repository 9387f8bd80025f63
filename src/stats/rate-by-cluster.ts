import { wilson } from "./intervals.ts";
import type { rateOf } from "./rate.ts";

/** Observations that hang together: the checks of one case in all of its runs, the labels of one output. */
export interface Cluster {
  readonly passed: number;
  readonly total: number;
}

/**
 * A share over all observations with the 95 % interval of what other clusters like these would give. Each cluster counts
 * once, however much was observed in it, as if all of it passed or failed together: never too narrow for that, and the
 * same whether a case has one check or twenty. Clusters of unequal size count for fewer (Kish). A single cluster says
 * nothing about others, so it has no interval.
 */
export function rateByCluster(clusters: readonly Cluster[]): ReturnType<typeof rateOf> {
  let [passed, total, squares, filled] = [0, 0, 0, 0];
  for (const cluster of clusters) {
    passed += cluster.passed;
    total += cluster.total;
    squares += cluster.total ** 2;
    if (cluster.total > 0) filled++;
  }
  const rate = total === 0 ? null : passed / total;
  const worth = total ** 2 / squares;
  const interval = rate === null || filled < 2 ? null : wilson(rate * worth, worth);
  return { passed, total, rate, low: interval?.low ?? null, high: interval?.high ?? null };
}
