import { describe, expect, it } from "vitest";
import { cohenKappa } from "./agreement.ts";
import { describeValues } from "./descriptive.ts";
import { betaCdf, betaQuantile, logGamma, normalCdf, normalQuantile, tQuantile } from "./distributions.ts";
import { mcnemarExact, signTest } from "./exact-tests.ts";
import golden from "./fixtures/golden.json" with { type: "json" };
import { clopperPearson, meanInterval, wilson } from "./intervals.ts";
import { benjaminiHochberg } from "./multiple-testing.ts";
import { passAtK, passPowK } from "./pass-at-k.ts";
import { casesNeeded, powerOf } from "./power.ts";
import { signFlipInterval } from "./sign-flip-interval.ts";
import { signFlipTest } from "./sign-flip.ts";

/** Off by at most a relative 1e-8, or 1e-12 near zero; never off for what is missing. */
function off(actual: number | null | undefined, expected: number | undefined): boolean {
  if (actual === null || actual === undefined || expected === undefined) return true;
  return !(Math.abs(actual - expected) <= Math.max(1e-12, 1e-8 * Math.abs(expected)));
}

describe("distributions, as R has them", () => {
  it.each(golden.normal)("normal cdf at $z", ({ z, p }) => expect(off(normalCdf(z), p)).toBe(false));
  it.each(golden.normalQuantiles)("normal quantile of $p", ({ p, z }) =>
    expect(off(normalQuantile(p), z)).toBe(false),
  );
  it.each(golden.tQuantiles)("t quantile of $p, freedom $freedom", ({ p, freedom, t }) =>
    expect(off(tQuantile(p, freedom), t)).toBe(false),
  );
  it.each(golden.beta)("beta($a, $b) cdf at $x", ({ x, a, b, p }) =>
    expect(off(betaCdf(x, a, b), p)).toBe(false),
  );
  it.each(golden.betaQuantiles)("beta($a, $b) quantile of $p", ({ p, a, b, x }) =>
    expect(off(betaQuantile(p, a, b), x)).toBe(false),
  );
  it.each(golden.logGamma)("log gamma of $x", ({ x, value }) => expect(off(logGamma(x), value)).toBe(false));
});

describe("intervals, as R has them", () => {
  it.each(golden.wilson)("Wilson, $passed of $total", ({ passed, total, low, high }) => {
    expect(off(wilson(passed, total)?.low, low)).toBe(false);
    expect(off(wilson(passed, total)?.high, high)).toBe(false);
  });

  it.each(golden.clopperPearson)("Clopper-Pearson, $passed of $total, alpha $alpha", (row) => {
    const interval = clopperPearson(row.passed, row.total, row.alpha);
    expect(off(interval?.low, row.low)).toBe(false);
    expect(off(interval?.high, row.high)).toBe(false);
  });

  it.each(golden.means)("mean of $values", ({ values, mean, stddev, median, low, high }) => {
    const description = describeValues(values);
    expect(off(description?.mean, mean)).toBe(false);
    expect(off(description?.stddev, stddev)).toBe(false);
    expect(off(description?.median, median)).toBe(false);
    expect(off(meanInterval(values)?.low, low)).toBe(false);
    expect(off(meanInterval(values)?.high, high)).toBe(false);
  });

  it.each(golden.subsetBounds)("inverted sign-flip test of $differences", ({ differences, low, high }) => {
    const interval = signFlipInterval(differences);
    expect(off(interval?.low, low)).toBe(false);
    expect(off(interval?.high, high)).toBe(false);
  });
});

describe("tests, as R has them", () => {
  it.each(golden.evenSplits)("$left against $right", ({ left, right, p }) => {
    expect(off(mcnemarExact(left, right), p)).toBe(false);
    const differences = [...Array(left).fill(0.5), ...Array(right).fill(-0.1), 0, 0] as number[];
    expect(off(signTest(differences), p)).toBe(false);
  });

  it.each(golden.signFlips)("sign flips of $differences", ({ differences, p }) =>
    expect(off(signFlipTest(differences), p)).toBe(false),
  );

  it.each(golden.ranked)("signed ranks $differences", ({ differences, p }) =>
    expect(off(signFlipTest(differences), p)).toBe(false),
  );

  it.each(golden.benjaminiHochberg)("Benjamini-Hochberg of $p", ({ p, adjusted }) => {
    for (const [at, value] of benjaminiHochberg(p).entries()) expect(off(value, adjusted[at])).toBe(false);
  });
});

describe("power of the t test, as R has it", () => {
  it.each(golden.power)("$cases cases, $effect with spread $spread", ({ cases, effect, spread, power }) => {
    // The sign-flip test's level is a little below 5 % with few cases, and so is its power.
    expect(Math.abs(powerOf(cases, effect, { spread }) - power)).toBeLessThan(0.01);
  });

  it.each(golden.casesNeeded)("cases for $effect with spread $spread", ({ effect, spread, cases }) => {
    expect(Math.abs((casesNeeded(effect, { spread }) ?? 0) - cases)).toBeLessThanOrEqual(1);
  });
});

describe("counting, as R has it", () => {
  it.each(golden.passAtK)("$passed of $runs passed, k = $k", ({ runs, passed, k, any, all }) => {
    expect(off(passAtK(runs, passed, k), any)).toBe(false);
    expect(off(passPowK(runs, passed, k), all)).toBe(false);
  });

  it.each(golden.kappas)("kappa of $byColumn", ({ size, byColumn, kappa }) => {
    const pairs = byColumn.flatMap((count, at) =>
      Array.from({ length: count }, (): [string, string] => [`${at % size}`, `${Math.floor(at / size)}`]),
    );
    expect(off(cohenKappa(pairs), kappa)).toBe(false);
  });
});
