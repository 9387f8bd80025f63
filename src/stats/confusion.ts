/** How often the first rater said the row's label while the second said the column's. */
export interface LabelConfusion {
  readonly labels: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

/** Labels in order of first appearance. */
export function confusionOf(pairs: readonly (readonly [string, string])[]): LabelConfusion {
  const labels = [...new Set(pairs.flat())];
  const counts = labels.map((row) =>
    labels.map((column) => pairs.filter(([first, second]) => first === row && second === column).length),
  );
  return { labels, counts };
}
