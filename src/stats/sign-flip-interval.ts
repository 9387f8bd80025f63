import { type Interval, meanInterval } from "./intervals.ts";
import { seededRandom } from "./random.ts";
import { fewestCases, MANY_CASES } from "./sign-flip.ts";

/**
 * Every shift that the sign-flip test does not reject. Flipping the signs of some cases gives a total at least as large
 * exactly when those cases' own mean is not above the shift; so the p-value of a shift is its rank among the means of all
 * subsets of cases, and the bounds are two of these means. Null when there are too few cases to reject anything.
 * Exact for up to 12 cases; beyond that from as many seeded subsets; over thousands of cases it is Student's.
 */
export function signFlipInterval(
  differences: readonly number[],
  { alpha = 0.05, seed = 1 }: { readonly alpha?: number; readonly seed?: number } = {},
): Interval | null {
  if (differences.length < fewestCases(alpha)) return null;
  if (differences.length >= MANY_CASES) return meanInterval(differences, alpha);
  const means =
    differences.length <= EXACT_CASES ? everySubsetMean(differences) : drawnSubsetMeans(differences, seed);
  means.sort();
  const rank = Math.floor((alpha / 2) * (means.length + 1));
  const low = means[rank - 1];
  const high = means[means.length - rank];
  return low === undefined || high === undefined ? null : { low, high };
}

const EXACT_CASES = 12;

function everySubsetMean(differences: readonly number[]): Float64Array {
  const subsets = 2 ** differences.length;
  const sums = new Float64Array(subsets);
  const counts = new Uint8Array(subsets);
  let known = 1;
  for (const difference of differences) {
    for (let subset = 0; subset < known; subset++) {
      sums[known + subset] = (sums[subset] ?? 0) + difference;
      counts[known + subset] = (counts[subset] ?? 0) + 1;
    }
    known *= 2;
  }
  return sums.subarray(1).map((total, at) => total / (counts[at + 1] ?? 1));
}

function drawnSubsetMeans(differences: readonly number[], seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: 2 ** EXACT_CASES - 1 }, () => {
    let total = 0;
    let count = 0;
    while (count === 0) {
      let members = 0;
      for (let at = 0; at < differences.length; at++) {
        if (at % 32 === 0) members = (random() * 0x1_0000_0000) >>> 0;
        if ((members & 1) === 1) {
          total += differences[at] ?? 0;
          count++;
        }
        members >>>= 1;
      }
    }
    return total / count;
  });
}
