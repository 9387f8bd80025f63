import type { Bounds } from "../../domain/benchmark.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { compareOnTheseCases } from "../../stats/these-cases.ts";
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
  const found = new Map<string, Bounds>();
  for (const id of sides.scores.keys()) {
    const only = (all: typeof scores.treatment) => new Map([[id, all.get(id) ?? []]]);
    const { interval } = compareOnTheseCases(
      caseRunsOf(only(scores.treatment), only(scores.baseline)),
      given,
    );
    if (interval !== null) found.set(id, { low: interval.low, high: interval.high });
  }
  return found;
}
