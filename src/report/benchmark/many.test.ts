import { describe, expect, it } from "vitest";
import type { Variant } from "../../domain/trial.ts";
import { aBenchmark, benchRows } from "../../../test/support/benchmarks.ts";
import { summarize } from "../summarize.ts";
import { compareKnownGood } from "./against-known-good.ts";
import { knownGoodOf } from "./known-good.ts";
import { adjustForMany, matrixOf } from "./many.ts";

const GATES = { minPassRate: null, allowMissing: 0 };

/** Six cases whose clearest outcome has a p-value of 0.03. */
function benchmark(number: number, winner: Variant | null, cases = 6) {
  const better = { with_skill: ["p"], without_skill: ["f"] };
  const worse = { with_skill: ["f"], without_skill: ["p"] };
  const equal = { with_skill: ["p"], without_skill: ["p"] };
  const each = winner === null ? equal : winner === "with_skill" ? better : worse;
  const ids = Array.from({ length: cases }, (_, at) => String(at + 1));
  const evaluated = aBenchmark({ number, rows: benchRows(Object.fromEntries(ids.map((id) => [id, each]))) });
  return { evaluated, summary: summarize(evaluated, GATES) };
}

describe("a benchmark's gates", () => {
  it("fail when the skill makes things worse, and only then", () => {
    expect(benchmark(1, "without_skill").summary.verdict).toBe("failed");
    expect(benchmark(1, "with_skill").summary.verdict).toBe("passed");
    expect(benchmark(1, null).summary.verdict).toBe("passed");
  });

  it("are unfinished when nothing can be compared", () => {
    const rows = benchRows({ "1": { with_skill: ["p"] } });
    expect(summarize(aBenchmark({ rows }), GATES).verdict).toBe("unfinished");
  });

  it("say nothing where there is no check to say it by", () => {
    const rows = benchRows({ "1": { with_skill: [""], without_skill: [""] } });
    expect(summarize(aBenchmark({ rows }), GATES).verdict).toBe("ungraded");
  });

  it("hold single cases only where somebody declared it", () => {
    const rows = benchRows({ "1": { with_skill: ["pf"], without_skill: ["ff"] } });
    expect(summarize(aBenchmark({ rows }), GATES).verdict).toBe("passed");
    expect(summarize(aBenchmark({ rows }), { ...GATES, minPassRate: 0.9 }).verdict).toBe("failed");
  });
});

describe("many benchmarks", () => {
  it("adjust their p-values, so that one worse among many that show nothing does not stand", () => {
    const reports = [benchmark(1, "without_skill"), benchmark(2, null), benchmark(3, null)];
    const [row] = matrixOf(reports.map(({ summary }) => summary));
    expect(row).toMatchObject({ verdict: "worse", pValue: 0.03125, adjustedPValue: 0.09375, holds: false });
    expect(reports[0]?.summary.verdict).toBe("failed");
    expect(adjustForMany(reports)[0]?.summary.verdict).toBe("passed");
  });

  it("keep what stands among them", () => {
    const reports = [benchmark(1, "without_skill", 12), benchmark(2, null), benchmark(3, "with_skill", 12)];
    expect(matrixOf(reports.map(({ summary }) => summary)).map((row) => row.holds)).toEqual([
      true,
      false,
      true,
    ]);
    expect(adjustForMany(reports)[0]?.summary.verdict).toBe("failed");
  });

  it("leave a single one alone", () => {
    expect(adjustForMany([benchmark(1, "without_skill")])[0]?.summary.verdict).toBe("failed");
  });
});

describe("the last known good", () => {
  const options = { alpha: 0.05, minEffect: 0, maxDrop: null };
  const good = knownGoodOf(benchmark(1, "with_skill", 8).evaluated);

  it("holds every run of the arm under test, check by check", () => {
    expect(good).toMatchObject({ harness: "scripted", iteration: 1 });
    expect(Object.values(good.cases["3"] ?? {})).toMatchObject([{ runs: "p" }]);
  });

  it("is missed when every case has fallen", () => {
    const { gate } = compareKnownGood(benchmark(2, "without_skill", 8).evaluated, good, options);
    expect(gate.met).toBe(false);
    expect(gate.detail).toContain("against iteration-1: Worse");
  });

  it("is met by the same again", () => {
    expect(compareKnownGood(benchmark(2, "with_skill", 8).evaluated, good, options).gate.met).toBe(true);
  });

  it("is not missed by a drop that so few runs show by chance, and says so", () => {
    const before = knownGoodOf(benchmark(1, "with_skill", 2).evaluated);
    const now = benchmark(2, "without_skill", 2).evaluated;
    const { gate } = compareKnownGood(now, before, { ...options, maxDrop: 0.1 });
    expect(gate.met).toBe(true);
    expect(gate.detail).toContain(
      "changed by -100 points and -10 are allowed, but with so few runs, chance does that too",
    );
  });

  it("is missed by a confirmed drop beyond what is allowed, even one that does not matter otherwise", () => {
    const before = knownGoodOf(benchmark(1, "with_skill", 5).evaluated);
    const now = benchmark(2, "without_skill", 5).evaluated;
    expect(compareKnownGood(now, before, options).gate.met).toBe(true);
    const { gate } = compareKnownGood(now, before, { ...options, maxDrop: 0.1 });
    expect(gate.met).toBe(false);
    expect(gate.detail).toContain(
      "changed by -100 points and -10 are allowed, which chance alone rarely does (p = 0.031",
    );
  });

  it("does not compare a check that asks for something else now", () => {
    const [id = ""] = Object.keys(good.cases["1"] ?? {});
    const other = { ...good, cases: { ...good.cases, "1": { [id]: { asks: "other", runs: "p" } } } };
    const { comparison, gate } = compareKnownGood(benchmark(2, "with_skill", 8).evaluated, other, options);
    expect(comparison.cases).toBe(7);
    expect(gate.detail).toContain(`the check itself changed: 1 ${id}`);
  });

  it("does not compare a check that was decided on one side only", () => {
    const [id = ""] = Object.keys(good.cases["1"] ?? {});
    const { asks = "" } = good.cases["1"]?.[id] ?? {};
    const open = { ...good, cases: { ...good.cases, "1": { [id]: { asks, runs: "-" } } } };
    const { comparison } = compareKnownGood(benchmark(2, "with_skill", 8).evaluated, open, options);
    expect(comparison).toMatchObject({ cases: 7, casesLeftOut: 1 });
  });
});
