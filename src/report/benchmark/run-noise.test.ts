import { describe, expect, it } from "vitest";
import { aBenchmark } from "../../../test/support/benchmarks.ts";
import { benchmarkOf } from "./benchmark.ts";

describe("one arm against itself", () => {
  const noisy = (cases: number, runs: number) =>
    Array.from({ length: cases * runs }, (_, at) => ({
      case: String(at % cases),
      arm: "with_skill" as const,
      checks: (at * 7919) % 3 === 0 ? "pf" : "pp",
    }));

  it("compares odd runs with even ones and says how much a run varies", () => {
    const benchmark = benchmarkOf(aBenchmark({ rows: noisy(10, 6), bench: { aa: true } }));
    expect(benchmark?.comparisons[0]).toMatchObject({ treatment: "odd runs", baseline: "even runs" });
    expect(benchmark?.arms.map(({ trials }) => trials)).toEqual([30, 30]);
    expect(benchmark?.noise?.pValue).toBe(benchmark?.comparisons[0]?.passRate.pValue);
    expect(benchmark?.noise?.noiseSd).toBeGreaterThan(0);
    expect(benchmark?.noise?.noiseSd).toBeLessThan(0.5);
    expect(benchmark?.noise?.explanation).toContain("do not differ beyond chance");
    expect(benchmark?.notes.join()).not.toContain("does not differentiate");
  });

  it("says when the order of runs matters", () => {
    const rows = noisy(4, 6).map((row, at) => ({
      ...row,
      checks: Math.floor(at / 4) % 2 === 0 ? "pp" : "ff",
    }));
    const benchmark = benchmarkOf(aBenchmark({ rows, bench: { aa: true } }));
    expect(benchmark?.noise?.explanation).toContain("the order of runs matters");
  });
});
