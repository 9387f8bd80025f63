/** How much of a budget each of several needs gets: none more than it needs, what one leaves over goes to the others by weight. */
export function shareOut(
  needs: readonly number[],
  weights: readonly number[],
  budget: number,
): readonly number[] {
  const given = needs.map(() => 0);
  let open = needs.map((_, index) => index);
  let left = budget;
  while (open.length > 0) {
    const weight = open.reduce((sum, index) => sum + (weights[index] ?? 0), 0);
    const portion = (index: number): number => (left * (weights[index] ?? 0)) / weight;
    const full = open.filter((index) => (needs[index] ?? 0) <= portion(index));
    if (full.length === 0) {
      for (const index of open) given[index] = Math.floor(portion(index));
      break;
    }
    for (const index of full) given[index] = needs[index] ?? 0;
    left -= full.reduce((sum, index) => sum + (needs[index] ?? 0), 0);
    open = open.filter((index) => !full.includes(index));
  }
  return given;
}

/** The cap that makes texts of these lengths fit the budget when each longer one is cut to it. */
export function capFor(lengths: readonly number[], budget: number): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  let left = budget;
  for (const [index, length] of sorted.entries()) {
    const level = Math.floor(left / (sorted.length - index));
    if (length > level) return Math.max(0, level);
    left -= length;
  }
  return Infinity;
}
