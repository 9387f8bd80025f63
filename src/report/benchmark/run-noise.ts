import type { RunNoise } from "../../domain/benchmark.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { noiseOf } from "../../stats/noise.ts";
import { fewestRuns } from "../../stats/these-cases.ts";
import { pText } from "../../stats/words.ts";
import { levelsOf, type LiftOptions, type ScoredSides } from "./compare-lift.ts";

/** How much runs of one arm vary, and whether odd ones differ from even ones. Null when no case has both. */
export function runNoise({ treatment, baseline }: ScoredSides, options: LiftOptions): RunNoise | null {
  const { alpha, seed } = levelsOf(options);
  const noise = noiseOf(caseRunsOf(treatment, baseline), seed);
  if (noise === null) return null;
  const { cases, noiseSd, liftError, smallestPValue } = noise;
  const { pValue } = noise.test;
  return {
    cases,
    pValue,
    smallestPValue,
    runsNeeded: fewestRuns(cases, alpha),
    alpha,
    noiseSd,
    liftError,
    explanation: explain(noise, alpha),
  };
}

function explain(
  { test, smallestPValue, noiseSd, liftError }: NonNullable<ReturnType<typeof noiseOf>>,
  alpha: number,
): string {
  const p = `p ${pText(test.pValue, alpha)}`;
  const order =
    smallestPValue > alpha
      ? "So few runs cannot show whether odd and even ones differ."
      : test.pValue <= alpha
        ? `Odd and even runs differ (${p}): one such setup in twenty does by chance; otherwise the order of runs matters.`
        : `Odd and even runs do not differ beyond chance (${p}).`;
  return `${order} A run differs from its case's mean by ${points(noiseSd)} points (standard deviation), so a difference measured with this many runs per side is uncertain by ${points(liftError)}.`;
}

function points(share: number): string {
  return (share * 100).toFixed(share < 0.1 ? 1 : 0);
}
