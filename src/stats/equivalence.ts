import type { Interval } from "./intervals.ts";

/** Is every difference that the data leave possible too small to matter? Never true without a smallest effect that matters. */
export function isTooSmallToMatter(interval: Interval | null, minEffect: number): boolean {
  return interval !== null && minEffect > 0 && interval.low > -minEffect && interval.high < minEffect;
}
