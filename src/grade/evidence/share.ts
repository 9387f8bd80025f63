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

/**
 * How much of each text is kept so that all fit the budget. Rather than a little of every long one, more is cut from fewer:
 * the longest first, among equals the earliest, none below 60 % of what an even cut would leave.
 */
export function cutLengths(lengths: readonly number[], budget: number): readonly number[] {
  const cap = capFor(lengths, budget);
  const kept = [...lengths];
  let total = lengths.reduce((sum, length) => sum + length, 0);
  const long = lengths.map((length, index) => ({ length, index })).filter(({ length }) => length > cap);
  for (const { length, index } of long.toSorted((a, b) => b.length - a.length || a.index - b.index)) {
    if (total <= budget) break;
    kept[index] = Math.floor(cap * 0.6);
    total -= length - Math.floor(cap * 0.6);
  }
  return kept;
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
