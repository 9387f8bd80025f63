import type { CaseRuns } from "../../src/stats/case-runs.ts";
import type { Random } from "../../src/stats/random.ts";

/** A made-up world of cases: how hard they are, and how the checks of a run hang together. */
export interface World {
  readonly name: string;
  readonly checks: number;
  /** Correlation of the checks of one run. */
  readonly within: number;
  readonly difficulty: (random: Random) => number;
}

export const WORLDS: readonly World[] = [
  { name: "mixed", checks: 4, within: 0, difficulty: (random) => drawBeta(2, 2, random) },
  { name: "correlated", checks: 4, within: 0.4, difficulty: (random) => drawBeta(2, 2, random) },
  { name: "saturated", checks: 4, within: 0.4, difficulty: (random) => drawBeta(19, 1, random) },
  { name: "U-shaped", checks: 3, within: 0.4, difficulty: (random) => drawBeta(0.3, 0.3, random) },
  {
    name: "tied",
    checks: 1,
    within: 0,
    difficulty: (random) => (random() < 0.8 ? Math.round(random()) : 0.5),
  },
];

/** One case's true pass rates in both arms. */
export interface Truth {
  readonly treatment: number;
  readonly baseline: number;
}

/** A case whose lift is `lift` on average and differs from case to case by up to `spread`. */
export function drawCase(world: World, random: Random, { lift = 0, spread = 0 } = {}): Truth {
  const mine = lift + spread * (2 * random() - 1);
  const easy = world.difficulty(random);
  const baseline = mine >= 0 ? (1 - mine) * easy : -mine + (1 + mine) * easy;
  return { baseline, treatment: Math.min(1, Math.max(0, baseline + mine)) };
}

/** The verdicts of one run's checks. */
export function drawRun({ checks, within }: World, rate: number, random: Random): boolean[] {
  const together = within > 0 && rate > 0 && rate < 1;
  const weight = (1 - within) / within;
  const mine = together ? drawBeta(rate * weight, (1 - rate) * weight, random) : rate;
  return Array.from({ length: checks }, () => random() < mine);
}

export function drawScore(world: World, rate: number, random: Random): number {
  return drawRun(world, rate, random).filter(Boolean).length / world.checks;
}

export function drawScores(
  world: World,
  rate: number,
  { runs, random }: { runs: number; random: Random },
): number[] {
  return Array.from({ length: runs }, () => drawScore(world, rate, random));
}

export function drawCaseRuns(
  world: World,
  truth: Truth,
  { treatment, baseline, random }: { treatment: number; baseline: number; random: Random },
): CaseRuns {
  return {
    treatment: drawScores(world, truth.treatment, { runs: treatment, random }),
    baseline: drawScores(world, truth.baseline, { runs: baseline, random }),
  };
}

export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function drawBeta(a: number, b: number, random: Random): number {
  const [x, y] = [drawGamma(a, random), drawGamma(b, random)];
  return x + y === 0 ? (random() < a / (a + b) ? 1 : 0) : x / (x + y);
}

/** Marsaglia and Tsang. */
function drawGamma(shape: number, random: Random): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
