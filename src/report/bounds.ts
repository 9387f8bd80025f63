import type { Case } from "../domain/suite.ts";
import type { Bound, CaseSummary, Gate } from "../domain/summary.ts";
import type { Verdict } from "../domain/verdict.ts";
import { countVerdicts } from "./trial-facts.ts";

/** The bound that every case has of itself: its checks pass. Those that fail are told one by one. */
export const EVERY_CHECK = "checks";

/**
 * What one scored trial is held to, and what it reached. By default every check must pass. A case's `grade_thresholds`
 * replace that for the judged checks, `--min-pass-rate` for all. Null when nothing was scored, so nothing can be said.
 */
export function boundsOf(
  one: Case,
  verdicts: readonly Verdict[],
  minPassRate: number | null,
): readonly Bound[] | null {
  const isScored = ({ status }: Verdict) => status !== "unscored";
  const scored = verdicts.every(isScored) ? verdicts : verdicts.filter(isScored);
  if (scored.length === 0) return null;
  if (minPassRate !== null) return [atLeast("--min-pass-rate", minPassRate, passRate(scored))];
  const thresholds = one.settings.gradeThresholds;
  if (thresholds === null) return [atLeast(EVERY_CHECK, 1, passRate(scored))];
  const judged = scored.filter((verdict) => verdict.layer === "L3");
  const decided = scored.filter((verdict) => verdict.layer !== "L3");
  const demands: readonly (readonly [string, number | null, number | null])[] =
    judged.length === 0
      ? []
      : [
          ["grade_thresholds.min_pass_rate", thresholds.minPassRate, passRate(judged)],
          ["grade_thresholds.min_mean_score", thresholds.minMeanScore, meanScore(judged)],
        ];
  return [
    ...(decided.length === 0 ? [] : [atLeast(EVERY_CHECK, 1, passRate(decided))]),
    ...demands.flatMap(([name, bound, value]) => (bound === null ? [] : [atLeast(name, bound, value)])),
  ];
}

/** Of all runs of a case; a bound that the file does not set is one of which nobody needs to be told. */
export function stabilityBound({ stability }: CaseSummary, minStability: number | null): readonly Bound[] {
  return minStability === null ? [] : [atLeast("variance.min_stability", minStability, stability)];
}

/** `grade_thresholds.min_pass_rate: 0.5, at least 0.7 is asked for`. */
export function boundText({ name, bound, value }: Bound): string {
  return `${name}: ${value === null ? "no score" : figure(value)}, at least ${figure(bound)} is required`;
}

/** What a case missed beyond single checks, and in which run; a bound of all runs names none. */
export function missedBounds(
  one: CaseSummary,
  gate: Gate | undefined,
): readonly { readonly trialId: string | null; readonly bound: Bound }[] {
  const declared = (bounds: readonly Bound[] = []) =>
    bounds.filter(({ name, met }) => !met && name !== EVERY_CHECK);
  return [
    ...one.trials.flatMap(({ trialId, bounds }) => declared(bounds).map((bound) => ({ trialId, bound }))),
    ...declared(gate?.bounds).map((bound) => ({ trialId: null, bound })),
  ];
}

export function meanScore(verdicts: readonly Verdict[]): number | null {
  let [total, count] = [0, 0];
  for (const { score } of verdicts) {
    if (score === null) continue;
    total += score;
    count++;
  }
  return count === 0 ? null : total / count;
}

function atLeast(name: string, bound: number, value: number | null): Bound {
  return { name, bound, value, met: value !== null && value >= bound };
}

function passRate(scored: readonly Verdict[]): number {
  return countVerdicts(scored).passed / scored.length;
}

function figure(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}
