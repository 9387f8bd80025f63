export interface Description {
  readonly count: number;
  readonly mean: number;
  /** Over n - 1; 0 for a single value. */
  readonly stddev: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Null when there is nothing to describe. */
export function describeValues(values: readonly number[]): Description | null {
  const first = values[0];
  if (first === undefined) return null;
  let min = first;
  let max = first;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return {
    count: values.length,
    mean: sum(values) / values.length,
    stddev: stddev(values),
    min,
    median: middle(values),
    max,
  };
}

/** Null for no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** Left to right and without compensation, as the aggregators do whose figures ours are compared with. */
export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Sample variance over n - 1; 0 for fewer than two values. */
export function variance(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = sum(values) / values.length;
  let squares = 0;
  for (let at = 0; at < values.length; at++) squares += ((values[at] ?? 0) - centre) ** 2;
  return squares / (values.length - 1);
}

/** Sample standard deviation over n - 1; 0 for fewer than two values. */
export function stddev(values: readonly number[]): number {
  return Math.sqrt(variance(values));
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (lower + upper) / 2;
}
