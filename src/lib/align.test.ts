import fc from "fast-check";
import { expect, it } from "vitest";
import { align } from "./align.ts";

it("matches equal values only, in rising order, and all of equal sequences", () => {
  const values = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60, size: "max" });
  fc.assert(
    fc.property(values, values, (left, right) => {
      const [a, b] = [Int32Array.from(left), Int32Array.from(right)];
      let [lastA, lastB] = [-1, -1];
      for (const [at, there] of align(a, b)) {
        expect(a[at]).toBe(b[there]);
        expect(at).toBeGreaterThan(lastA);
        expect(there).toBeGreaterThan(lastB);
        [lastA, lastB] = [at, there];
      }
      expect(align(a, a)).toHaveLength(a.length);
    }),
  );
});

it("finds the longest alignment where no value occurs once", () => {
  const values = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 14, size: "max" });
  fc.assert(
    fc.property(values, values, (left, right) => {
      const twice = (list: readonly number[]) => Int32Array.from(list.flatMap((value) => [value, value]));
      const [a, b] = [twice(left), twice(right)];
      expect(align(a, b)).toHaveLength(longestCommon(a, b));
    }),
  );
});

/** By the book. */
function longestCommon(a: Int32Array, b: Int32Array): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const value of a) {
    const next = [0];
    for (const [at, other] of b.entries())
      next.push(value === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

it("aligns a hundred thousand steps that have nothing, little or almost all in common", () => {
  const length = 100_000;
  const plain = Int32Array.from({ length }, (_, at) => at);
  const other = plain.map((value) => value + length);
  const changed = plain.map((value, at) => (at % 10 === 5 ? -at - 1 : value));
  const repeated = plain.map((value) => value % 7);
  expect(align(plain, other)).toHaveLength(0);
  expect(align(plain, changed)).toHaveLength(length - length / 10);
  expect(align(repeated, repeated.toReversed()).length).toBeLessThan(length);
});

it("aligns very long sequences of few values that differ near both ends", () => {
  const plain = Int32Array.from({ length: 300_000 }, (_, at) => at % 5);
  const other = plain.map((value, at) => (at === 10 || at === 299_990 ? 9 : value));
  expect(align(plain, other)).toHaveLength(plain.length - 2);
});
