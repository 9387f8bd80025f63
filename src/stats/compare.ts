import { type CasePair, differencesOf } from "./case-pairs.ts";
import type { PairedComparison, ArmVerdict } from "./comparison.ts";
import { sum, variance } from "./descriptive.ts";
import { isTooSmallToMatter } from "./equivalence.ts";
import { liftInterval } from "./lift-interval.ts";
import { casesNeeded } from "./power.ts";
import { signFlipTest } from "./sign-flip.ts";
import { worthSeeing } from "./these-cases.ts";

export interface ArmComparisonOptions {
  /** Default 0.05, two-sided. */
  readonly alpha?: number;
  /** The smallest lift that matters. Default 0: any; then a lift of 0.2 decides what counts as underpowered. */
  readonly minEffect?: number;
  readonly seed?: number;
}

export function compareArms(
  pairs: readonly CasePair[],
  options: ArmComparisonOptions = {},
): PairedComparison {
  const { alpha = 0.05, minEffect = 0, seed = 1 } = options;
  const differences = differencesOf(pairs);
  requireRates(differences);
  const cases = differences.length;
  const pValue = signFlipTest(differences, seed);
  const lift = cases === 0 ? null : liftOf(differences);
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
  };
  const least = worthSeeing(minEffect);
  const verdict = decide(facts, least);
  return {
    verdict,
    ...facts,
    ...(verdict === "underpowered" ? planMore(differences, { least, alpha }) : NO_PLAN),
  };
}

/** Differences that cancel out leave no crumb of rounding behind. */
function liftOf(differences: readonly number[]): number {
  const total = sum(differences);
  return Math.abs(total) <= 1e-12 * differences.length ? 0 : total / differences.length;
}

const NO_PLAN = { plannedEffect: null, casesNeeded: null };

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
  {
    lift,
    interval,
    pValue,
    alpha,
    minEffect,
  }: Pick<PairedComparison, "lift" | "interval" | "pValue" | "alpha" | "minEffect">,
  least: number,
): ArmVerdict {
  if (lift === null || pValue === null) return "invalid";
  if (pValue <= alpha && Math.abs(lift) >= minEffect) return lift > 0 ? "better" : "worse";
  return isTooSmallToMatter(interval, least) ? "no difference seen" : "underpowered";
}

/** For the lift seen where it is worth seeing and more cases would show it; otherwise for the least that is. */
function planMore(
  differences: readonly number[],
  { least, alpha }: { readonly least: number; readonly alpha: number },
) {
  const options = { spread: plannedSpread(differences), alpha };
  const seen = Math.abs(liftOf(differences));
  const isMore = (needed: number | null) => needed !== null && needed > differences.length;
  const plannedEffect = seen > least && isMore(casesNeeded(seen, options)) ? seen : least;
  const needed = casesNeeded(plannedEffect, options);
  return { plannedEffect, casesNeeded: isMore(needed) ? needed : null };
}
