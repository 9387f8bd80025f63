import type { RunNoise } from "../../domain/benchmark.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { noiseOf } from "../../stats/noise.ts";
import type { LiftOptions, ScoredSides } from "./compare-lift.ts";

/** How much runs of one arm vary, and whether odd ones differ from even ones. Null when no case has both. */
export function runNoise(
  { treatment, baseline }: ScoredSides,
  { alpha, seed }: LiftOptions,
): RunNoise | null {
  const noise = noiseOf(caseRunsOf(treatment, baseline), seed);
  if (noise === null) return null;
  const { cases, noiseSd, liftError } = noise;
  const { pValue } = noise.test;
  return { cases, pValue, alpha, noiseSd, liftError, explanation: explain(noise, alpha) };
}

function explain(
  { test, noiseSd, liftError }: NonNullable<ReturnType<typeof noiseOf>>,
  alpha: number,
): string {
  const p = `p = ${test.pValue.toFixed(3)}`;
  const order =
    test.pValue <= alpha
      ? `Odd and even runs differ (${p}): one such set-up in twenty does by chance, otherwise the order of runs matters.`
      : `Odd and even runs do not differ beyond chance (${p}).`;
  return `${order} A run is off its case's mean by ${points(noiseSd)} points (standard deviation), so a lift with as many runs per arm is off by ${points(liftError)}.`;
}

function points(share: number): string {
  return (share * 100).toFixed(share < 0.1 ? 1 : 0);
}
