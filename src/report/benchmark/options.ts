import type { JsonObject } from "../../domain/json.ts";

/** How a benchmark is evaluated; kept in the manifest, so that it is evaluated in the same way again. */
export interface BenchmarkRules {
  readonly alpha: number;
  readonly minEffect: number;
  /** One arm against itself: odd repetitions against even ones. */
  readonly aa: boolean;
  /** Null: all repetitions were planned from the start. */
  readonly adaptive: AdaptivePlan | null;
}

/** Looks after `step`, twice `step`... runs of each case, at `maxRuns` the last. */
export interface AdaptivePlan {
  readonly step: number;
  readonly maxRuns: number;
}

/** Null when the iteration was not made by a benchmark. */
export function benchOptionsOf({ bench }: JsonObject): BenchmarkRules | null {
  if (!isObject(bench)) return null;
  const { alpha, minEffect, aa, adaptive } = bench;
  return {
    alpha: typeof alpha === "number" ? alpha : 0.05,
    minEffect: typeof minEffect === "number" ? minEffect : 0,
    aa: aa === true,
    adaptive: isObject(adaptive) ? adaptivePlan(adaptive) : null,
  };
}

/** Runs of each case at each look, ascending; the last is `maxRuns`. */
export function lookSizes({ step, maxRuns }: AdaptivePlan): number[] {
  const sizes: number[] = [];
  for (let runs = step; runs < maxRuns; runs += step) sizes.push(runs);
  return [...sizes, maxRuns];
}

function adaptivePlan({ step, maxRuns }: JsonObject): AdaptivePlan | null {
  const usable = typeof step === "number" && typeof maxRuns === "number" && step >= 1 && maxRuns >= 1;
  return usable ? { step, maxRuns } : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
