/**
 * The chance that at least one of k runs passes, estimated without bias from `passed` of `runs`.
 * Null when k runs were never made, so that nothing is extrapolated.
 */
export function passAtK(runs: number, passed: number, k: number): number | null {
  const allFail = chanceAllFrom(runs, runs - passed, k);
  return allFail === null ? null : 1 - allFail;
}

/** The chance that all of k runs pass (pass^k), estimated without bias; (passed / runs)^k would be too high. */
export function passPowK(runs: number, passed: number, k: number): number | null {
  return chanceAllFrom(runs, passed, k);
}

/** C(chosen, k) / C(runs, k): the chance that k runs drawn without replacement are all among the chosen. */
function chanceAllFrom(runs: number, chosen: number, k: number): number | null {
  if (!isCount(runs) || !isCount(k) || k < 1 || k > runs) return null;
  if (!isCount(chosen) || chosen > runs) throw new RangeError(`${chosen} of ${runs} runs is not a count`);
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, chosen - drawn) / (runs - drawn);
  return chance;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
