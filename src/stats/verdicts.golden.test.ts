import { describe, expect, it } from "vitest";
import { confirmChanges } from "./confirm.ts";
import golden from "./fixtures/verdicts.json" with { type: "json" };
import { moverWilson } from "./mover-wilson.ts";
import { noiseOf } from "./noise.ts";
import { shareAtLeast } from "./other-cases.ts";
import { compareRatio } from "./ratio.ts";
import { settleQuery } from "./settle.ts";
import { withinCaseTest } from "./within-case.ts";

/** Numbers of any shape, rounded so far that only a real difference is left. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === "number" ? Number(one.toFixed(8)) + 0 : one)),
  );
}

// The values are those of fixtures/verdicts.py, which writes out every assignment in fractions.
describe("the permutation test within cases, written out", () => {
  it.each(golden.withinCase.map((row, at) => [at, row] as const))("agrees on benchmark %d", (_, row) => {
    const { cases, ...expected } = row;
    expect(rounded(withinCaseTest(cases))).toEqual(rounded({ ...expected, method: { kind: "exact" } }));
  });
});

describe("the interval on these cases, from the roots of Wilson's equation", () => {
  const rows = golden.intervals.map((row, at) => ({ at, row, interval: moverWilson(row.cases, row) }));
  const untouched = rows.filter(({ interval }) => interval?.adjusted === "no");

  it.each(untouched)("agrees on benchmark $at", ({ row, interval }) => {
    expect(rounded(interval)).toEqual(rounded({ low: row.low, high: row.high, adjusted: "no" }));
  });

  it.each(rows)("is adjusted exactly where the test says otherwise: benchmark $at", ({ row, interval }) => {
    const keepsZero = row.low <= 0 && row.high >= 0;
    const disagree = keepsZero !== row.pValue > row.alpha;
    expect(interval?.adjusted !== "no").toBe(disagree);
  });
});

describe("shares, families, ratios, noise and queries", () => {
  it.each(golden.shares)("at least, $count of $total at $alpha", ({ count, total, alpha, atLeast }) => {
    expect(rounded(shareAtLeast(count, total, alpha))).toBe(rounded(atLeast));
  });

  it.each(golden.families.map((family, at) => [at, family] as const))("agrees on family %d", (_, family) => {
    const found = confirmChanges(
      family.map(({ before, now }, at) => ({ id: `${at}`, cases: [{ treatment: now, baseline: before }] })),
    );
    const fell = family.flatMap((unit, at) => ((found[at]?.change ?? 0) < 0 ? [{ unit, at }] : []));
    expect(rounded(fell.map(({ at }) => [found[at]?.pValue, found[at]?.adjustedPValue]))).toEqual(
      rounded(fell.map(({ unit }) => [unit.p, unit.adjusted])),
    );
  });

  it.each(golden.ratios)("ratio $ratio", ({ pairs, ratio, low, high }) => {
    const found = compareRatio(pairs.map(([treatment = null, baseline = null]) => ({ treatment, baseline })));
    expect(found?.ratio).toBeCloseTo(ratio, 9);
    // Two cases leave one degree of freedom: bounds far out, of which six digits are compared.
    expect((found?.interval?.low ?? 0) / low).toBeCloseTo(1, 6);
    expect((found?.interval?.high ?? 0) / high).toBeCloseTo(1, 6);
  });

  it.each(golden.noises)("noise $noiseSd", ({ cases, pValue, noiseSd }) => {
    const noise = noiseOf(
      cases.map((scores) => ({
        treatment: scores.filter((_, at) => at % 2 === 0),
        baseline: scores.filter((_, at) => at % 2 === 1),
      })),
    );
    expect(rounded([noise?.test.pValue, noise?.noiseSd])).toEqual(rounded([pValue, noiseSd]));
  });

  it.each(golden.queries)("$fired of $runs fired, threshold $threshold: $status", ({ status, ...query }) => {
    expect(settleQuery(query).status).toBe(status);
  });
});
