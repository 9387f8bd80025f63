import { compareArms } from "../../src/stats/compare.ts";
import { pairCases } from "../../src/stats/case-pairs.ts";
import { type Random, seededRandom } from "../../src/stats/random.ts";
import { compareOnTheseCases } from "../../src/stats/these-cases.ts";
import { drawCase, drawCaseRuns, WORLDS } from "./worlds.ts";

/** How many of 156 public eval files have so many cases: median 4, two of three at most five. */
export const CORPUS_SIZES: Readonly<Record<number, number>> = {
  1: 3,
  2: 12,
  3: 39,
  4: 34,
  5: 17,
  6: 8,
  7: 9,
  8: 1,
  9: 3,
  10: 11,
  11: 4,
  12: 2,
  13: 2,
  14: 1,
  15: 1,
  16: 4,
  17: 2,
  21: 1,
  27: 1,
  40: 1,
};

export interface CorpusRow {
  readonly lift: number;
  /** Shares of benchmarks that get a better or worse: by the sign-flip test over cases alone, and on these cases. */
  readonly before: number;
  readonly after: number;
}

/** Each eval file of the corpus, benchmarked with three runs per arm, so many times in each world. */
export function decidedOnCorpus(times: number): CorpusRow[] {
  const sizes = Object.entries(CORPUS_SIZES).flatMap(([cases, files]) =>
    Array.from({ length: files }, () => Number(cases)),
  );
  return [0, 0.1, 0.3, 0.6, 0.9].map((lift) => {
    const random = seededRandom(Math.round(1_000 * lift) + 7);
    let [before, after, all] = [0, 0, 0];
    for (const world of WORLDS) {
      for (const cases of sizes) {
        for (let time = 0; time < times; time++) {
          const found = benchmark(world, { cases, lift, random });
          if (found.before) before++;
          if (found.after) after++;
          all++;
        }
      }
    }
    return { lift, before: before / all, after: after / all };
  });
}

function benchmark(
  world: (typeof WORLDS)[number],
  { cases, lift, random }: { cases: number; lift: number; random: Random },
) {
  const spread = lift === 0 ? 0 : Math.min(0.2, 1 - lift);
  const runs = Array.from({ length: cases }, () =>
    drawCaseRuns(world, drawCase(world, random, { lift, spread }), { treatment: 3, baseline: 3, random }),
  );
  const arm = (of: "treatment" | "baseline") => new Map(runs.map((one, at) => [`${at}`, one[of]]));
  const before = compareArms(pairCases(arm("treatment"), arm("baseline"))).verdict;
  const after = compareOnTheseCases(runs).verdict;
  const isDecided = (verdict: string) => verdict === "better" || verdict === "worse";
  return { before: isDecided(before), after: isDecided(after) };
}
