import { armMeans, type CaseRuns, countsOf, inBothArms, runCounts } from "./case-runs.ts";
import { normalQuantile } from "./distributions.ts";
import { isTooSmallToMatter } from "./equivalence.ts";
import type { TestMethod } from "./label-draws.ts";
import { moverWilson, type TheseCasesInterval } from "./mover-wilson.ts";
import { smallestWithinCase, type WithinCaseTest, withinCaseTest } from "./within-case.ts";

/** `invalid`: no case was scored in both arms. */
type TheseCasesVerdict = "better" | "worse" | "no difference that matters" | "undecided" | "invalid";

/** Do the arms differ on these very cases? Says nothing about other cases. Null where there is nothing to say. */
export interface TheseCases {
  readonly verdict: TheseCasesVerdict;
  /** Cases scored in both arms, and those that were not. */
  readonly cases: number;
  readonly casesLeftOut: number;
  readonly runs: { readonly treatment: number; readonly baseline: number };
  /** Means over cases of the arms' mean scores. */
  readonly rates: { readonly treatment: number; readonly baseline: number } | null;
  readonly lift: number | null;
  readonly interval: TheseCasesInterval | null;
  readonly alpha: number;
  readonly minEffect: number;
  readonly pValue: number | null;
  /** One-sided: as far behind as this, or farther. */
  readonly pWorse: number | null;
  readonly method: TestMethod | null;
  readonly assignments: number | null;
  /** What the clearest outcome of so many runs would have given: above alpha, nothing could have been shown. */
  readonly smallestPValue: number | null;
  /** Per case and arm, to see `plannedEffect` four times in five; only while undecided, null where out of reach. */
  readonly runsNeeded: number | null;
  readonly plannedEffect: number | null;
}

export interface TheseCasesOptions {
  /** Default 0.05, two-sided. */
  readonly alpha?: number;
  /** What a result with more runs must reach; default alpha. */
  readonly nextAlpha?: number;
  /** The smallest lift that matters. Default 0: any that is shown; then 0.2 is what is planned for and ruled out. */
  readonly minEffect?: number;
  readonly seed?: number;
}

export function compareOnTheseCases(
  cases: readonly CaseRuns[],
  { alpha = 0.05, nextAlpha = alpha, minEffect = 0, seed = 1 }: TheseCasesOptions = {},
): TheseCases {
  const compared = inBothArms(cases);
  const test = withinCaseTest(compared, seed);
  const interval = intervalOf(compared, test, alpha);
  const facts = {
    cases: compared.length,
    casesLeftOut: cases.length - compared.length,
    runs: runCounts(compared),
    rates: armMeans(compared),
    lift: test?.lift ?? null,
    interval,
    alpha,
    minEffect,
    pValue: test?.pValue ?? null,
    pWorse: test?.pWorse ?? null,
    method: test?.method ?? null,
    assignments: test?.assignments ?? null,
    smallestPValue: test && smallestWithinCase(compared.map(countsOf)),
  };
  const verdict = decide(facts);
  // A result that could decide nothing has used nothing, so the next one is held to the same.
  const planned = (facts.smallestPValue ?? 1) > alpha ? alpha : nextAlpha;
  return { verdict, ...facts, ...(verdict === "undecided" ? planRuns(compared, facts, planned) : NO_PLAN) };
}

/** The interval of the above alone, for whoever asks it of each of a thousand cases. */
export function intervalOnTheseCases(
  cases: readonly CaseRuns[],
  { alpha = 0.05, seed = 1 }: Pick<TheseCasesOptions, "alpha" | "seed"> = {},
): TheseCasesInterval | null {
  const compared = inBothArms(cases);
  return intervalOf(compared, withinCaseTest(compared, seed), alpha);
}

function intervalOf(compared: readonly CaseRuns[], test: WithinCaseTest | null, alpha: number) {
  return test && moverWilson(compared, { pValue: test.pValue, alpha });
}

/** The least lift that matters: twenty points, which an author of a skill would not want to miss, unless told otherwise. */
export function worthSeeing(minEffect: number): number {
  return minEffect > 0 ? minEffect : 0.2;
}

const USUAL_POWER = 0.8;
const NO_PLAN = { runsNeeded: null, plannedEffect: null };

/** More than this is not a suggestion. */
const MOST_RUNS = 50;

type Facts = Pick<TheseCases, "lift" | "interval" | "pValue" | "alpha" | "minEffect">;

function decide({ lift, interval, pValue, alpha, minEffect }: Facts): TheseCasesVerdict {
  if (lift === null || pValue === null) return "invalid";
  if (pValue <= alpha && Math.abs(lift) >= minEffect) return lift > 0 ? "better" : "worse";
  return isTooSmallToMatter(interval, worthSeeing(minEffect)) ? "no difference that matters" : "undecided";
}

/** For the lift seen where it matters, otherwise for the least that does. */
function planRuns(
  cases: readonly CaseRuns[],
  { lift, interval, alpha, minEffect }: Facts,
  nextAlpha: number,
) {
  const plannedEffect = Math.max(worthSeeing(minEffect), Math.abs(lift ?? 0));
  let made = Infinity;
  for (const { treatment, baseline } of cases) made = Math.min(made, treatment.length, baseline.length);
  // One run of each case says nothing about how runs of it differ, so the most that they can is assumed.
  const widest = made < 2 ? Math.SQRT1_2 / Math.sqrt(cases.length) : 0;
  const spread =
    interval === null ? 1 : Math.max(widest, (interval.high - interval.low) / 2 / twoSided(alpha));
  const bySpread =
    made * ((spread * (twoSided(nextAlpha) + normalQuantile(USUAL_POWER))) / plannedEffect) ** 2;
  const runs = Math.max(made + 1, Math.ceil(bySpread), fewestRuns(cases.length, nextAlpha));
  return { plannedEffect, runsNeeded: runs <= MOST_RUNS ? runs : null };
}

function twoSided(alpha: number): number {
  return normalQuantile(1 - alpha / 2);
}

/** Runs per case and arm below which no outcome over so many cases, however clear, is significant. */
export function fewestRuns(cases: number, alpha: number = 0.05): number {
  let runs = 1;
  while (
    smallestWithinCase(Array.from({ length: cases }, () => ({ treatment: runs, baseline: runs }))) > alpha
  )
    runs++;
  return runs;
}
