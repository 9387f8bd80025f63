export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard normal quantile of 97.5 %. */
const Z95 = 1.959963984540054;

/** Wilson's score interval for a share of `passed` in `total`; null when nothing was counted. */
export function wilson(passed: number, total: number, z: number = Z95): Interval | null {
  if (total === 0) return null;
  const share = passed / total;
  const z2 = z * z;
  const centre = share + z2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total * total));
  const scale = 1 + z2 / total;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}
