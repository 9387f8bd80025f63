/** The least number that turns every value into a whole one when multiplied; null beyond a million. */
export function commonDenominator(values: Iterable<number>): number | null {
  let common = 1;
  for (const value of new Set(values)) {
    const denominator = denominatorOf(value);
    if (denominator === null) return null;
    common = leastCommonMultiple(common, denominator);
    if (common > MOST) return null;
  }
  return common;
}

export function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [Math.abs(a), Math.abs(b)];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

export function leastCommonMultiple(a: number, b: number): number {
  return (a / greatestCommonDivisor(a, b)) * b;
}

/** How many ways there are to choose `chosen` of `all`; rounded beyond 2^53. */
export function waysToChoose(all: number, chosen: number): number {
  let ways = 1;
  for (let at = 1; at <= Math.min(chosen, all - chosen); at++) ways = (ways * (all - at + 1)) / at;
  return ways <= Number.MAX_SAFE_INTEGER ? Math.round(ways) : ways;
}

const MOST = 1_000_000;

/** A value this near to a fraction is that fraction. */
const NEAR = 1e-11;

/** By continued fractions; null when no fraction with a denominator up to 10,000 is near. */
function denominatorOf(value: number): number | null {
  let [before, denominator] = [0, 1];
  let rest = value - Math.floor(value);
  while (denominator <= 10_000) {
    if (Math.abs(value * denominator - Math.round(value * denominator)) <= NEAR * denominator)
      return denominator;
    if (rest <= 1e-12) return null;
    const whole = Math.floor(1 / rest);
    rest = 1 / rest - whole;
    [before, denominator] = [denominator, whole * denominator + before];
  }
  return null;
}
