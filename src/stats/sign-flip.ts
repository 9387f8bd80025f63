import { normalCdf, SMALLEST_NORMAL } from "./distributions.ts";
import { seededRandom } from "./random.ts";

/**
 * Two-sided permutation test over cases: if the arms were alike, each case's difference could as well have had the other
 * sign. The p-value is the share of all sign patterns whose total is at least as far from zero as the one seen. Exact for
 * up to 36 cases that differ; beyond that from seeded draws, counting the pattern seen as one of them, so that it is never
 * too small; over thousands of cases from the normal distribution that the total then has. Cases without a difference change nothing. Null without cases.
 */
export function signFlipTest(differences: readonly number[], seed: number = 1): number | null {
  if (differences.length === 0) return null;
  const sizes = differences.filter((difference) => difference !== 0).map(Math.abs);
  const total = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Sums of the same sizes in another order differ in their last bits; they are the same total.
  const reached = total - 1e-9 * sizes.reduce((sum, size) => sum + size, 0);
  if (reached <= 0) return 1;
  if (sizes.length <= EXACT_CASES) return exactShare(sizes, reached);
  return isNormal(sizes) ? normalShare(sizes, reached) : drawnShare(sizes, reached, seed);
}

/** The smallest two-sided p-value that so many differing cases can reach: 2 / 2^cases; null without cases. */
export function smallestPValue(cases: number): number | null {
  return cases < 1 ? null : 2 ** (1 - cases);
}

/** With fewer cases than this no outcome, however clear, is significant at alpha: 6 at 5 %. */
export function fewestCases(alpha: number): number {
  return Math.ceil(1 - Math.log2(alpha));
}

/** Two halves of 2^18 sums each. */
const EXACT_CASES = 36;
const DRAWS = 49_999;
/** Over all draws, which is what takes the time. */
const MOST_FLIPS = 10_000_000;
/** From here on draws take longer than they are worth. */
export const MANY_CASES = 2_000;

/** So many, and none that outweighs the others. */
function isNormal(sizes: readonly number[]): boolean {
  if (sizes.length < MANY_CASES) return false;
  let [squares, largest] = [0, 0];
  for (const size of sizes) {
    squares += size * size;
    largest = Math.max(largest, size);
  }
  return largest * largest <= squares / 100;
}

function normalShare(sizes: readonly number[], reached: number): number {
  let squares = 0;
  for (const size of sizes) squares += size * size;
  return Math.max(SMALLEST_NORMAL, 2 * normalCdf(-reached / Math.sqrt(squares)));
}

/** Splits the cases in two, lists the sums of each half in order, and counts the pairs that reach the total. */
function exactShare(sizes: readonly number[], reached: number): number {
  const half = sizes.length >> 1;
  const left = sortedSums(sizes.slice(0, half));
  const right = sortedSums(sizes.slice(half));
  let pairs = 0;
  let from = right.length;
  for (const sum of left) {
    while (from > 0 && sum + (right[from - 1] ?? 0) >= reached) from--;
    pairs += right.length - from;
  }
  // The mirrored patterns are as far from zero on the other side.
  return (2 * pairs) / 2 ** sizes.length;
}

/** Every sum of the sizes under every choice of signs, ascending. */
function sortedSums(sizes: readonly number[]): Float64Array {
  let sums = new Float64Array([0]);
  for (const size of sizes) {
    const next = new Float64Array(sums.length * 2);
    let minus = 0;
    let plus = 0;
    for (let at = 0; at < next.length; at++) {
      const lower = (sums[minus] ?? Infinity) - size;
      const upper = (sums[plus] ?? Infinity) + size;
      if (lower <= upper) {
        next[at] = lower;
        minus++;
      } else {
        next[at] = upper;
        plus++;
      }
    }
    sums = next;
  }
  return sums;
}

function drawnShare(sizes: readonly number[], reached: number, seed: number): number {
  const random = seededRandom(seed);
  const draws = Math.min(DRAWS, Math.max(4_999, Math.floor(MOST_FLIPS / sizes.length)));
  let extreme = 1;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    let signs = 0;
    for (let at = 0; at < sizes.length; at++) {
      if (at % 32 === 0) signs = (random() * 0x1_0000_0000) >>> 0;
      const size = sizes[at] ?? 0;
      sum += (signs & 1) === 0 ? size : -size;
      signs >>>= 1;
    }
    if (Math.abs(sum) >= reached) extreme++;
  }
  return extreme / (draws + 1);
}
