import { wilson } from "./intervals.ts";

/** A share with its 95 % interval; nulls where nothing was counted. */
export function rateOf(
  passed: number,
  total: number,
): {
  readonly passed: number;
  readonly total: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
} {
  const interval = wilson(passed, total);
  return {
    passed,
    total,
    rate: total === 0 ? null : passed / total,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}
