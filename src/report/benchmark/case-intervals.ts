import type { Bounds } from "../../domain/benchmark.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { intervalOnTheseCases } from "../../stats/these-cases.ts";
import type { Evaluated } from "../evaluated.ts";
import { armsOf } from "./benchmark.ts";
import { liftOptions, scoresOf, sidesOf } from "./compare-arms.ts";
import { benchOptionsOf } from "./options.ts";

/** By case: how far the difference between the arms may lie on it alone. Cases that one arm has no scored run of have none. */
export function caseIntervals(evaluated: Evaluated): ReadonlyMap<string, Bounds> {
  const options = benchOptionsOf(evaluated.iteration.options);
  const [treatment, baseline] = options === null ? [] : armsOf(evaluated, options);
  if (options === null || treatment === undefined || baseline === undefined) return new Map();
  const sides = sidesOf(treatment, baseline);
  const scores = scoresOf(sides);
  const given = liftOptions(sides, options);
  const known = new Map<string, Bounds | null>();
  const intervals = new Map<string, Bounds>();
  for (const id of sides.scores.keys()) {
    const only = (all: typeof scores.treatment) => new Map([[id, inOrder(all.get(id) ?? [])]]);
    const [mine, other] = [only(scores.treatment), only(scores.baseline)];
    const key = `${mine.get(id)?.join()} ${other.get(id)?.join()}`;
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = intervalOnTheseCases(caseRunsOf(mine, other), given)));
    if (found !== null) intervals.set(id, { low: found.low, high: found.high });
  }
  return intervals;
}

/** Cases whose runs scored alike have the same interval, so that of a thousand cases few are worked out. */
function inOrder(scores: readonly number[]): readonly number[] {
  return scores.toSorted((a, b) => a - b);
}
