/** Cohen's kappa of two raters over the same units; null when chance alone would explain every agreement, or with no unit. */
export function cohenKappa(pairs: readonly (readonly [string, string])[]): number | null {
  if (pairs.length === 0) return null;
  const first = counts(pairs.map(([a]) => a));
  const second = counts(pairs.map(([, b]) => b));
  const observed = pairs.filter(([a, b]) => a === b).length / pairs.length;
  let expected = 0;
  for (const [category, count] of first)
    expected += (count * (second.get(category) ?? 0)) / pairs.length ** 2;
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}

/**
 * Krippendorff's alpha for nominal values: each unit is what the raters said of it, null where one said nothing. Null when
 * no unit has two values, or when there is only one value anywhere.
 */
export function krippendorffAlpha(units: readonly (readonly (string | null)[])[]): number | null {
  const totals = new Map<string, number>();
  let values = 0;
  let disagreeing = 0;
  for (const unit of units) {
    const said = unit.filter((value) => value !== null);
    if (said.length < 2) continue;
    const inUnit = counts(said);
    for (const [value, count] of inUnit) {
      totals.set(value, (totals.get(value) ?? 0) + count);
      disagreeing += (count * (said.length - count)) / (said.length - 1);
    }
    values += said.length;
  }
  if (values === 0) return null;
  let expected = 0;
  for (const count of totals.values()) expected += (count * (values - count)) / (values - 1);
  return expected === 0 ? null : 1 - disagreeing / expected;
}

/** The share of pairs of raters that say the same of a unit, over all units; null when no unit has two values. */
export function pairAgreement(units: readonly (readonly (string | null)[])[]): number | null {
  let same = 0;
  let pairs = 0;
  for (const unit of units) {
    const said = unit.filter((value) => value !== null);
    pairs += (said.length * (said.length - 1)) / 2;
    for (const count of counts(said).values()) same += (count * (count - 1)) / 2;
  }
  return pairs === 0 ? null : same / pairs;
}

function counts(values: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}
