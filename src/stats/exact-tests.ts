/** Two-sided exact sign test: are gains as likely as losses? Ties say nothing about that; null when all are ties. */
export function signTest(differences: readonly number[]): number | null {
  let gains = 0;
  let losses = 0;
  for (const difference of differences) {
    if (difference > 0) gains++;
    else if (difference < 0) losses++;
  }
  return evenSplit(gains, losses);
}

/**
 * McNemar's exact two-sided test for cases that pass or fail as a whole: `onlyFirst` passed in the first arm alone,
 * `onlySecond` in the second alone. Null when the arms never disagree.
 */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number | null {
  return evenSplit(onlyFirst, onlySecond);
}

/** How likely is a split at least this uneven, were both sides equally likely? */
function evenSplit(left: number, right: number): number | null {
  const total = left + right;
  if (total === 0) return null;
  // Terms as logarithms, because 2^-total vanishes for a thousand cases.
  let logTerm = -total * Math.LN2;
  let tail = 0;
  for (let count = 0; count <= Math.min(left, right); count++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((total - count) / (count + 1));
  }
  return Math.min(1, 2 * tail);
}
