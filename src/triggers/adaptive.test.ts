import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstRuns, isSettled, nextRuns, type QueryProgress } from "./adaptive.ts";

const OPTIONS = { runs: 3, threshold: 0.5 };
const at = (caseId: string, runs: number, fired: number, valid = runs): QueryProgress => ({
  caseId,
  runs,
  valid,
  fired,
});

describe("firstRuns", () => {
  it.each([
    [1, 0.5, 1],
    [2, 0.5, 1],
    [3, 0.5, 2],
    [5, 0.5, 3],
    [3, 1, 1],
    [10, 0.9, 2],
    [10, 0.1, 1],
  ])("of %i at %d: %i", (runs, threshold, first) => {
    expect(firstRuns({ runs, threshold })).toBe(first);
  });
});

describe("isSettled", () => {
  it("agrees with trying every way the rest may end", () => {
    fc.assert(
      fc.property(
        fc.record({ valid: fc.nat(8), left: fc.nat(8), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        ({ valid, left, share }, threshold) => {
          fc.pre(valid > 0);
          const fired = Math.round(share * valid);
          const verdicts = Array.from(
            { length: left + 1 },
            (_, more) => (fired + more) / (valid + left) >= threshold,
          );
          expect(isSettled({ valid, fired }, { left, threshold })).toBe(new Set(verdicts).size === 1);
        },
      ),
    );
  });

  it("is not for a query without a valid run", () => {
    expect(isSettled({ valid: 0, fired: 0 }, { left: 0, threshold: 0.5 })).toBe(false);
  });
});

describe("nextRuns", () => {
  it.each<[string, QueryProgress[], Record<string, number> | null]>([
    ["all settled and unanimous", [at("a", 2, 2), at("b", 2, 0)], null],
    ["one open", [at("a", 2, 2), at("b", 2, 1)], { a: 2, b: 3 }],
    ["what was saved goes to the split one", [at("a", 2, 2), at("b", 3, 1)], { a: 2, b: 4 }],
    ["no more than was saved", [at("a", 2, 2), at("b", 4, 2)], null],
    ["nothing was saved", [at("b", 3, 1), at("c", 3, 2)], null],
    ["a query whose runs were all left out is tried as often as planned", [at("a", 2, 0, 0)], { a: 3 }],
    ["and no more", [at("a", 3, 0, 0)], null],
  ])("%s", (_, progress, next) => {
    const found = nextRuns(progress, OPTIONS);
    expect(found === null ? null : Object.fromEntries(found)).toEqual(next);
  });

  it("prefers the closest to the threshold when there is not enough for all", () => {
    const progress = [at("far", 5, 1), at("near", 5, 3), at("x", 4, 4)];
    const next = nextRuns(progress, { runs: 5, threshold: 0.5 });
    expect(Object.fromEntries(next ?? [])).toEqual({ far: 5, near: 6, x: 4 });
  });

  /** Plays whole schedules with biased coins. */
  const schedules = fc.record({
    runs: fc.integer({ min: 1, max: 7 }),
    threshold: fc.constantFrom(0.3, 0.5, 0.8, 1),
    coins: fc.array(fc.infiniteStream(fc.boolean()), { minLength: 1, maxLength: 6 }),
  });

  function play({ runs, threshold, coins }: { runs: number; threshold: number; coins: Iterator<boolean>[] }) {
    const flips = coins.map((coin) => ({ coin, seen: [] as boolean[] }));
    const progress = () =>
      flips.map(({ seen }, index) => at(String(index), seen.length, seen.filter(Boolean).length));
    const run = (wanted: ReadonlyMap<string, number>) => {
      flips.forEach(({ coin, seen }, index) => {
        while (seen.length < (wanted.get(String(index)) ?? 0)) seen.push(coin.next().value === true);
      });
    };
    const first = firstRuns({ runs, threshold });
    run(new Map(flips.map((_, index) => [String(index), first])));
    let rounds = 0;
    for (
      let next = nextRuns(progress(), { runs, threshold });
      next !== null;
      next = nextRuns(progress(), { runs, threshold })
    ) {
      run(next);
      if (++rounds > 1000) throw new Error("it never ends");
    }
    return flips.map(({ seen }) => seen);
  }

  it("ends, never takes more runs than planned in all, and settles every query", () => {
    fc.assert(
      fc.property(schedules, ({ runs, threshold, coins }) => {
        const seen = play({ runs, threshold, coins: coins.map((coin) => coin[Symbol.iterator]()) });
        expect(seen.reduce((sum, flips) => sum + flips.length, 0)).toBeLessThanOrEqual(runs * seen.length);
        for (const flips of seen) {
          const fired = flips.filter(Boolean).length;
          const left = Math.max(0, runs - flips.length);
          expect(isSettled({ valid: flips.length, fired }, { left, threshold })).toBe(true);
        }
      }),
    );
  });

  it("gives a unanimous query the verdict that all its runs would have given", () => {
    const steady = [true, false].map(
      (value) => ({ next: () => ({ value, done: false }) }) as Iterator<boolean>,
    );
    expect(play({ ...OPTIONS, coins: steady }).map((flips) => flips.length)).toEqual([2, 2]);
  });
});
