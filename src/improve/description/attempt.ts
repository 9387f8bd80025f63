import type { QuerySummary } from "../../domain/triggers.ts";

/** A description with what its queries showed. */
export interface DescriptionAttempt {
  readonly description: string;
  readonly train: readonly QuerySummary[];
  readonly validation: readonly QuerySummary[];
}

/** By their rates alone: exploring asks which description does better, not which queries are settled. */
export function passedOf(queries: readonly QuerySummary[]): number {
  return queries.filter(({ leaning }) => leaning === "passed").length;
}

export function failedOf(queries: readonly QuerySummary[]): readonly QuerySummary[] {
  return queries.filter(({ leaning }) => leaning === "failed");
}

/**
 * By validation alone. A tie goes to the original, which is first, and among others to the shorter one: nothing was shown
 * to be better, so nothing more is said than must be.
 */
export function bestAttempt(
  attempts: readonly [DescriptionAttempt, ...DescriptionAttempt[]],
): DescriptionAttempt {
  const most = Math.max(...attempts.map(({ validation }) => passedOf(validation)));
  const [original, ...others] = attempts;
  if (passedOf(original.validation) === most) return original;
  const tied = others.filter(({ validation }) => passedOf(validation) === most);
  return tied.reduce(
    (best, one) => (one.description.length < best.description.length ? one : best),
    tied[0] ?? original,
  );
}
