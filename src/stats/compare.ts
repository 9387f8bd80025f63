import { type CasePair, differencesOf } from "./case-pairs.ts";
import type { Comparison, ComparisonVerdict } from "./comparison.ts";
import { explain } from "./explain.ts";
import { sum, variance } from "./descriptive.ts";
import { liftInterval } from "./lift-interval.ts";
import { casesNeeded, minimumDetectableEffect } from "./power.ts";
import { fewestCases, signFlipTest, smallestPValue } from "./sign-flip.ts";

export interface CompareOptions {
  /** Default 0.05, two-sided. */
  readonly alpha?: number;
  /** The smallest lift that matters. Default 0: any; then a lift of 0.2 decides what counts as underpowered. */
  readonly minEffect?: number;
  readonly seed?: number;
}

export function compareArms(pairs: readonly CasePair[], options: CompareOptions = {}): Comparison {
  const { alpha = 0.05, minEffect = 0, seed = 1 } = options;
  const differences = differencesOf(pairs);
  requireRates(differences);
  const cases = differences.length;
  const pValue = signFlipTest(differences, seed);
  const lift = cases === 0 ? null : sum(differences) / cases;
  const spread = plannedSpread(differences);
  const detectable = minimumDetectableEffect(cases, { spread, alpha });
  const facts = {
    cases,
    casesLeftOut: pairs.length - cases,
    gains: differences.filter((difference) => difference > 0).length,
    losses: differences.filter((difference) => difference < 0).length,
    ties: differences.filter((difference) => difference === 0).length,
    lift,
    interval: liftInterval(differences, { alpha, seed, pValue }),
    alpha,
    minEffect,
    pValue,
    smallestPValue: smallestPValue(cases),
    minimumDetectableEffect: detectable,
  };
  const worthSeeing = minEffect > 0 ? minEffect : USUAL_EFFECT;
  const verdict = decide(facts, worthSeeing);
  const plan =
    verdict === "underpowered" ? planMore(pairs, { lift: lift ?? 0, worthSeeing, spread, alpha }) : NO_PLAN;
  const comparison = { verdict, ...facts, ...plan };
  return { ...comparison, explanation: explain(comparison, worthSeeing) };
}

/** Twenty points: what an author of a skill would not want to miss, unless told otherwise. */
const USUAL_EFFECT = 0.2;

const NO_PLAN = { plannedEffect: null, casesNeeded: null, runsNeeded: null };

/** More runs than this many times those made are not a suggestion. */
const MOST_RUNS_FACTOR = 10;

function requireRates(differences: readonly number[]): void {
  const wrong = differences.find((difference) => !(Math.abs(difference) <= 1));
  if (wrong !== undefined)
    throw new RangeError(`a difference of rates lies between -1 and 1, not at ${wrong}`);
}

/**
 * The spread to plan with: as seen, and as if one more case had been off by the whole range. A few cases often look
 * steadier than they are, and a plan that believes them comes out too small.
 */
function plannedSpread(differences: readonly number[]): number {
  const cases = differences.length;
  return Math.sqrt((variance(differences) * Math.max(0, cases - 1) + 1) / (cases + 1));
}

function decide(
  facts: Pick<Comparison, "lift" | "pValue" | "alpha" | "minEffect" | "minimumDetectableEffect">,
  worthSeeing: number,
): ComparisonVerdict {
  const { lift, pValue, alpha, minEffect, minimumDetectableEffect: detectable } = facts;
  if (lift === null || pValue === null) return "invalid";
  if (pValue <= alpha) {
    if (Math.abs(lift) < minEffect) return "no difference seen";
    return lift > 0 ? "better" : "worse";
  }
  return detectable !== null && detectable <= worthSeeing ? "no difference seen" : "underpowered";
}

interface PlanInput {
  readonly lift: number;
  readonly worthSeeing: number;
  readonly spread: number;
  readonly alpha: number;
}

/** For the lift seen where it is worth seeing and more cases would show it; otherwise for the least that is. */
function planMore(pairs: readonly CasePair[], { lift, worthSeeing, spread, alpha }: PlanInput) {
  const scored = pairs.filter(({ treatment, baseline }) => treatment !== null && baseline !== null);
  const forSeen = Math.abs(lift) > worthSeeing ? casesNeeded(lift, { spread, alpha }) : null;
  const plannedEffect = forSeen !== null && forSeen > scored.length ? Math.abs(lift) : worthSeeing;
  return {
    plannedEffect,
    casesNeeded: casesNeeded(plannedEffect, { spread, alpha }),
    runsNeeded:
      scored.length < fewestCases(alpha) ? null : runsNeeded(scored, { plannedEffect, spread, alpha }),
  };
}

/** More runs take away the runs' noise and leave how cases differ; null when that alone is too much, or noise is unknown. */
function runsNeeded(
  pairs: readonly CasePair[],
  {
    plannedEffect,
    spread,
    alpha,
  }: { readonly plannedEffect: number; readonly spread: number; readonly alpha: number },
): number | null {
  const known = pairs.flatMap(({ noise }) => (noise === null ? [] : [noise]));
  const perSpread = minimumDetectableEffect(pairs.length, { spread: 1, alpha });
  if (known.length === 0 || perSpread === null) return null;
  const noise = Math.min(spread ** 2, sum(known) / known.length);
  const runs = sum(pairs.map((pair) => pair.runs)) / pairs.length;
  const roomForNoise = (plannedEffect / perSpread) ** 2 - (spread ** 2 - noise);
  const planned = Math.ceil((noise * runs) / roomForNoise);
  return roomForNoise > 0 && planned > runs && planned <= runs * MOST_RUNS_FACTOR ? planned : null;
}
