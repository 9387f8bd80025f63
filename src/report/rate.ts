import type { Rate } from "../domain/summary.ts";
import { wilson } from "../stats/intervals.ts";

export function rateOf(passed: number, total: number): Rate {
  const interval = wilson(passed, total);
  return {
    passed,
    total,
    rate: total === 0 ? null : passed / total,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}
