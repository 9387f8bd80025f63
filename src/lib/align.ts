/** Matched positions of two sequences, ascending in both. */
export type Matches = readonly (readonly [a: number, b: number])[];

/**
 * Aligns two sequences of numbers: what they begin and end with alike, then what occurs once in both, in the longest order
 * that both keep, then between those the same again; what is left by the shortest edit, where that is short. Stays near
 * linear for sequences that have nothing in common.
 */
export function align(a: Int32Array, b: Int32Array): Matches {
  const partners = new Int32Array(a.length).fill(NONE);
  const open: Stretch[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
    let { a0, a1, b0, b1 } = stretch;
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) partners[a0++] = b0++;
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) partners[--a1] = --b1;
    if (a0 === a1 || b0 === b1 || (a1 - a0 === 1 && b1 - b0 === 1)) continue;
    const rest = { a0, a1, b0, b1 };
    const anchors = longestRising(onceInBoth(a, b, rest));
    if (anchors.length === 0) {
      for (const [at, there] of shortestEdit(a, b, rest)) partners[at] = there;
      continue;
    }
    let [fromA, fromB] = [a0, b0];
    for (const [at, there] of anchors) {
      partners[at] = there;
      open.push({ a0: fromA, a1: at, b0: fromB, b1: there });
      [fromA, fromB] = [at + 1, there + 1];
    }
    open.push({ a0: fromA, a1, b0: fromB, b1 });
  }
  return pairsOf(partners);
}

const NONE = -1;

function pairsOf(partners: Int32Array): Matches {
  const pairs: [number, number][] = [];
  for (const [at, there] of partners.entries()) if (there !== NONE) pairs.push([at, there]);
  return pairs;
}

interface Stretch {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** In the order of `a`, which is that of the places in it. */
function onceInBoth(a: Int32Array, b: Int32Array, { a0, a1, b0, b1 }: Stretch): [number, number][] {
  const [inA, inB] = [placesOf(a, a0, a1), placesOf(b, b0, b1)];
  const pairs: [number, number][] = [];
  for (const [value, at] of inA) {
    const there = inB.get(value);
    if (at !== TWICE && there !== undefined && there !== TWICE) pairs.push([at, there]);
  }
  return pairs;
}

const TWICE = -1;

function placesOf(values: Int32Array, from: number, to: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const value = values[at] ?? 0;
    places.set(value, places.has(value) ? TWICE : at);
  }
  return places;
}

/** The longest part of the pairs that rises in `b` too, by patience sorting. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, there]] of pairs.entries()) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < there) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tops[low - 1] ?? -1;
    tops[low] = index;
  }
  const rising: [number, number][] = [];
  for (let index = tops.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) rising.push(pair);
  }
  return rising.toReversed();
}

/** More than this many edits say that the two have little to do with each other. */
const MOST_EDITS = 400;

/** Myers' greedy algorithm; nothing where it would take too many edits. */
function shortestEdit(a: Int32Array, b: Int32Array, { a0, a1, b0, b1 }: Stretch): [number, number][] {
  const [n, m] = [a1 - a0, b1 - b0];
  const most = Math.min(n + m, MOST_EDITS);
  const ends = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(ends.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = isDown(ends, middle, { diagonal, edits });
      let x = down ? (ends[middle + diagonal + 1] ?? 0) : (ends[middle + diagonal - 1] ?? 0) + 1;
      while (x < n && x - diagonal < m && a[a0 + x] === b[b0 + x - diagonal]) x++;
      ends[middle + diagonal] = x;
      if (x >= n && x - diagonal >= m) return walkBack(trace, { a0, b0, n, m, middle });
    }
  }
  return [];
}

function isDown(
  ends: Int32Array,
  middle: number,
  { diagonal, edits }: { diagonal: number; edits: number },
): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (ends[middle + diagonal - 1] ?? 0) < (ends[middle + diagonal + 1] ?? 0);
}

function walkBack(
  trace: readonly Int32Array[],
  { a0, b0, n, m, middle }: { a0: number; b0: number; n: number; m: number; middle: number },
): [number, number][] {
  const matches: [number, number][] = [];
  let [x, y] = [n, m];
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const ends = trace[edits] ?? new Int32Array();
    const down = isDown(ends, middle, { diagonal: x - y, edits });
    const diagonal = down ? x - y + 1 : x - y - 1;
    const fromX = ends[middle + diagonal] ?? 0;
    const fromY = fromX - diagonal;
    const [stepX, stepY] = down ? [fromX, fromY + 1] : [fromX + 1, fromY];
    while (x > stepX && y > stepY) matches.push([a0 + --x, b0 + --y]);
    [x, y] = [fromX, fromY];
  }
  while (x > 0 && y > 0) matches.push([a0 + --x, b0 + --y]);
  return matches;
}
