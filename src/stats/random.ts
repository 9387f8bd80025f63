/** Uniform in [0, 1), one number per call. */
export type Random = () => number;

/**
 * The same numbers for the same seed on every machine: sfc32, seeded as its author does (the seed in two words, a
 * counter of one, twelve rounds thrown away). For simulation and for orders that must repeat, never for secrets.
 */
export function seededRandom(seed: number): Random {
  const state = { a: 0, b: seed >>> 0, c: Math.floor(seed / TWO_32) >>> 0, counter: 1 };
  for (let round = 0; round < 12; round++) next(state);
  return () => next(state) / TWO_32;
}

/** A whole number from 0 to `count - 1`. */
export function randomInteger(random: Random, count: number): number {
  return Math.floor(random() * count);
}

/** A new list in an order that the random numbers decide. */
export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const keyed = list.map((entry) => ({ entry, key: random() }));
  keyed.sort((a, b) => a.key - b.key);
  return keyed.map(({ entry }) => entry);
}

const TWO_32 = 0x1_0000_0000;

interface State {
  a: number;
  b: number;
  c: number;
  counter: number;
}

function next(state: State): number {
  const drawn = (state.a + state.b + state.counter) | 0;
  state.counter = (state.counter + 1) | 0;
  state.a = state.b ^ (state.b >>> 9);
  state.b = (state.c + (state.c << 3)) | 0;
  state.c = (((state.c << 21) | (state.c >>> 11)) + drawn) | 0;
  return drawn >>> 0;
}
