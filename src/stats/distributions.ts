/** P(Z <= z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  if (z < -8) return 0;
  if (z > 8) return 1;
  // The odd series of the integral from 0 to z; at |z| = 8 it still keeps 15 digits after the point.
  let term = z;
  let sum = z;
  for (let power = 3; Math.abs(term) > 1e-17 * Math.abs(sum) && power < 400; power += 2) {
    term *= (z * z) / power;
    sum += term;
  }
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return Math.min(1, Math.max(0, 0.5 + density * sum));
}

/** The z below which a share `p` of the standard normal distribution lies, for 0 < p < 1. */
export function normalQuantile(p: number): number {
  requireShare(p, "a quantile's probability");
  if (p > 0.5) return -normalQuantile(1 - p);
  let low = -8;
  let high = 0;
  while (high - low > 1e-14) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return high;
}

/** The t below which a share `p` of Student's distribution lies, for 0 < p < 1 and freedom > 0. */
export function tQuantile(p: number, freedom: number): number {
  requireShare(p, "a quantile's probability");
  if (p === 0.5) return 0;
  if (p < 0.5) return -tQuantile(1 - p, freedom);
  const x = betaQuantile(2 * (1 - p), freedom / 2, 0.5);
  return Math.sqrt((freedom * (1 - x)) / x);
}

/** The x below which a share `p` of the beta distribution lies. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const logScale = logGamma(a + b) - logGamma(a) - logGamma(b);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (let step = 0; step < 1_100; step++) {
    const excess = betaCdf(x, a, b) - p;
    if (excess >= 0) high = x;
    else low = x;
    const density = Math.exp(logScale + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    const newton = x - excess / density;
    // Newton's step where it stays between the bounds, half of them where it does not.
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * x) return next;
    x = next;
  }
  return x;
}

/** P(X <= x) of the beta distribution: the regularized incomplete beta function. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only left of the mean; right of it the mirrored one does.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return Math.min(1, (front / a) * betaFraction(x, a, b));
}

/** Natural logarithm of the gamma function, for x > 0. */
export function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  // Stirling's series needs a large argument: gamma(x + 1) = x gamma(x).
  for (; at < 12; at++) shift += Math.log(at);
  const inverse = 1 / (at * at);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/** The continued fraction of the incomplete beta function, evaluated from the front (Lentz). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return value;
}

function nonZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

function requireShare(p: number, what: string): void {
  if (!(p > 0 && p < 1)) throw new RangeError(`${what} lies between 0 and 1, not ${p}`);
}

/** P(Z <= -8): beyond that the normal distribution is not computed. */
export const SMALLEST_NORMAL = 6e-16;
