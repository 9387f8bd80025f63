import type { FalseAlarms } from "../../domain/benchmark.ts";
import type { ScoresByCase } from "../../stats/case-pairs.ts";
import { mean } from "../../stats/descriptive.ts";
import { seededRandom, shuffled } from "../../stats/random.ts";
import { fewestCases, signFlipTest } from "../../stats/sign-flip.ts";
import type { BenchOptions } from "./options.ts";

/**
 * How often the same runs, split in two at random, would have been called better or worse. All of one arm, so each of
 * these calls is false. Null when no case has two runs to split.
 */
export function falseAlarmsOf(
  runs: ScoresByCase,
  { alpha, minEffect }: Pick<BenchOptions, "alpha" | "minEffect">,
  seed: number,
): FalseAlarms | null {
  const cases = [...runs.values()].filter((scores) => scores.length >= 2);
  if (cases.length === 0) return null;
  const random = seededRandom(seed);
  const resamples = cases.length > MANY_CASES ? 200 : 1000;
  let alarms = 0;
  for (let resample = 0; resample < resamples; resample++) {
    const differences = cases.map((scores) => split(shuffled(scores, random)));
    const pValue = signFlipTest(differences, seed) ?? 1;
    if (pValue <= alpha && Math.abs(mean(differences) ?? 0) >= minEffect) alarms++;
  }
  const rate = alarms / resamples;
  return { resamples, alarms, rate, alpha, explanation: explain(rate, cases.length, alpha) };
}

/** The exact test takes milliseconds from here on. */
const MANY_CASES = 20;

function split(scores: readonly number[]): number {
  const half = scores.length >> 1;
  return (mean(scores.slice(0, half)) ?? 0) - (mean(scores.slice(half, 2 * half)) ?? 0);
}

function explain(rate: number, cases: number, alpha: number): string {
  const share = `${Number((rate * 100).toFixed(1))} %`;
  const promised = `${Number((alpha * 100).toFixed(1))} %`;
  if (cases < fewestCases(alpha)) {
    return `False alarms in ${share} of random splits: with ${cases === 1 ? "1 case" : `${cases} cases`} none is possible, and neither is a finding.`;
  }
  const word = rate <= alpha ? "within" : "above";
  return `False alarms in ${share} of random splits, ${word} the ${promised} that are promised.`;
}
