import { normalCdf, normalQuantile, tQuantile } from "./distributions.ts";
import { fewestCases, smallestPValue } from "./sign-flip.ts";

export interface PowerOptions {
  /** Standard deviation of the per-case differences. */
  readonly spread: number;
  /** Default 0.05, two-sided. */
  readonly alpha?: number;
}

/** The power that plans aim for: a true effect is seen in four of five benchmarks. */
const USUAL_POWER = 0.8;

/** The chance that the sign-flip test over so many cases sees a mean difference of `effect`. */
export function powerOf(cases: number, effect: number, options: PowerOptions): number {
  return powerCurve(cases, options)(effect);
}

/** The smallest mean difference seen with 80 % power; null when so few cases cannot show any. */
export function minimumDetectableEffect(cases: number, options: PowerOptions): number | null {
  if (attainable(options.alpha ?? 0.05, cases) === 0) return null;
  if (options.spread === 0) return 0;
  const power = powerCurve(cases, options);
  let low = 0;
  let high = options.spread;
  while (power(high) < USUAL_POWER) high *= 2;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (power(middle) < USUAL_POWER) low = middle;
    else high = middle;
  }
  return high;
}

/** How many cases it takes to see `effect` with 80 % power; null for no effect and beyond 100,000 cases. */
export function casesNeeded(effect: number, options: PowerOptions): number | null {
  const { alpha = 0.05, spread } = options;
  if (effect === 0) return null;
  const inSpreads =
    (normalQuantile(1 - alpha / 2) + normalQuantile(USUAL_POWER)) * (spread / Math.abs(effect));
  // With the spread known this many would do; having to estimate it never takes fewer.
  let cases = Math.max(fewestCases(alpha), Math.floor(inSpreads ** 2));
  if (cases > MOST_CASES) return null;
  while (powerOf(cases, effect, options) < USUAL_POWER) cases++;
  return cases;
}

const MOST_CASES = 100_000;

/** Power by effect, with what does not depend on the effect worked out once. */
function powerCurve(cases: number, { spread, alpha = 0.05 }: PowerOptions): (effect: number) => number {
  const level = attainable(alpha, cases);
  if (level === 0) return () => 0;
  if (spread === 0) return (effect) => (effect === 0 ? level : 1);
  // At the fewest cases only unanimity is significant.
  if (level === smallestPValue(cases)) {
    return (effect) => normalCdf(effect / spread) ** cases + normalCdf(-effect / spread) ** cases;
  }
  const freedom = cases - 1;
  const critical = tQuantile(1 - level / 2, freedom);
  return (effect) => {
    const shift = (Math.abs(effect) / spread) * Math.sqrt(cases);
    // The noncentral t distribution, by its usual normal approximation.
    const chanceAbove = (limit: number) =>
      normalCdf((shift - limit * (1 - 1 / (4 * freedom))) / Math.sqrt(1 + limit ** 2 / (2 * freedom)));
    return Math.min(1, chanceAbove(critical) + 1 - chanceAbove(-critical));
  };
}

/** The highest level at or below alpha that sign patterns over so many cases have; 0 when there is none. */
function attainable(alpha: number, cases: number): number {
  if (cases < fewestCases(alpha)) return 0;
  const step = smallestPValue(cases) ?? 1;
  return step < 1e-6 ? alpha : Math.floor(alpha / step) * step;
}
