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

/**
 * Holm's adjusted p-values, in the order given: calling everything at or below alpha a finding keeps the chance of any
 * false finding at alpha. A null stays null and does not count.
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const tested = pValues.flatMap((pValue, position) => (pValue === null ? [] : [{ pValue, position }]));
  tested.sort((a, b) => a.pValue - b.pValue);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let most = 0;
  for (const [rank, { pValue, position }] of tested.entries()) {
    most = Math.max(most, Math.min(1, pValue * (tested.length - rank)));
    adjusted[position] = most;
  }
  return adjusted;
}

/**
 * Which of several discrete tests are worth making (Tarone): those whose smallest reachable p-value could survive the
 * correction over all that are made. What a test could reach is known from the pooled scores, without the labels, so
 * leaving the others out costs nothing.
 */
export function worthTesting(smallest: readonly (number | null)[], alpha: number): boolean[] {
  const reaches = (tests: number) => (p: number | null) => p !== null && p <= alpha / tests + 1e-12;
  let tests = 1;
  while (smallest.filter(reaches(tests)).length > tests) tests++;
  return smallest.map(reaches(tests));
}
