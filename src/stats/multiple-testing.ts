/**
 * Benjamini and Hochberg's adjusted p-values, in the order given: calling everything at or below q a finding keeps the
 * expected share of false findings at q. A null (no test was possible) stays null and does not count.
 */
export function benjaminiHochberg(pValues: readonly (number | null)[]): (number | null)[] {
  const tested = pValues.flatMap((pValue, position) => (pValue === null ? [] : [{ pValue, position }]));
  tested.sort((a, b) => b.pValue - a.pValue);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 1;
  for (const [fromTop, { pValue, position }] of tested.entries()) {
    least = Math.min(least, (pValue * tested.length) / (tested.length - fromTop));
    adjusted[position] = least;
  }
  return adjusted;
}
