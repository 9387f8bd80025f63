import { wilson } from "../../src/stats/intervals.ts";
import { rateByCluster } from "../../src/stats/rate-by-cluster.ts";
import { seededRandom } from "../../src/stats/random.ts";
import { CASES } from "./tables.ts";
import { drawCase, drawRun, WORLDS } from "./worlds.ts";

export interface RateRow {
  readonly name: string;
  /** Worst world, by number of cases. */
  readonly covers: readonly number[];
}

/** How often the interval of one arm's pass rate, over three runs of each case, has the rate of all such cases. */
export function rateCoverage(trials: number): RateRow[] {
  const found = CASES.map((cases) => {
    const worlds = WORLDS.map((world) => {
      const random = seededRandom(cases);
      const truth = meanOf(Array.from({ length: 40_000 }, () => drawCase(world, random).baseline));
      let [pooled, byCase] = [0, 0];
      for (let trial = 0; trial < trials; trial++) {
        const clusters = Array.from({ length: cases }, () => {
          const { baseline } = drawCase(world, random);
          const verdicts = [1, 2, 3].flatMap(() => drawRun(world, baseline, random));
          return { passed: verdicts.filter(Boolean).length, total: verdicts.length };
        });
        const { passed, total, low, high } = rateByCluster(clusters);
        if (has(wilson(passed, total), truth)) pooled++;
        if (low !== null && high !== null && has({ low, high }, truth)) byCase++;
      }
      return { pooled: pooled / trials, byCase: byCase / trials };
    });
    return {
      pooled: Math.min(...worlds.map((world) => world.pooled)),
      byCase: Math.min(...worlds.map((world) => world.byCase)),
    };
  });
  return [
    { name: "checks and runs pooled", covers: found.map(({ pooled }) => pooled) },
    { name: "each case counts once", covers: found.map(({ byCase }) => byCase) },
  ];
}

function has(interval: { low: number; high: number } | null, truth: number): boolean {
  return interval !== null && interval.low <= truth && truth <= interval.high;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
