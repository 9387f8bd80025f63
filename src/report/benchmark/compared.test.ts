import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import {
  aBenchmark,
  benchRows,
  type BenchRow,
  checksOf,
  swapped,
  wins,
} from "../../../test/support/benchmarks.ts";
import { aCase } from "../../../test/support/cases.ts";
import { benchmarkOf } from "./benchmark.ts";

const INVALID_RUN = {
  outcome: leftOut("invalid", "the baseline was offered the skill demo"),
} as const;
const CRASHED_RUN = { outcome: { status: "crashed", message: "exit 1" } } as const;

describe("what is compared", () => {
  it("leaves out checks that only one arm is held to", () => {
    const [own, both] = checksOf(2);
    const one = aCase({
      id: "1",
      checks: [{ ...own, appliesTo: "with-skill" }, both] as ReturnType<typeof checksOf>,
    });
    const evaluated = aBenchmark({
      cases: [one],
      rows: [
        { case: "1", arm: "with_skill", checks: "fp" },
        { case: "1", arm: "without_skill", checks: "up" },
      ],
    });
    const benchmark = benchmarkOf(evaluated);
    expect(benchmark?.cases[0]).toMatchObject({ treatment: { passRate: 1 }, baseline: { passRate: 1 } });
    expect(benchmark?.notes.join("\n")).toContain("1 check applies to runs with the skill only");
  });

  it("leaves a left-out run out, and counts a crash as failed", () => {
    const rows: BenchRow[] = [
      { case: "1", arm: "with_skill", checks: "pp" },
      { case: "1", arm: "with_skill", checks: "ff", run: INVALID_RUN },
      { case: "1", arm: "without_skill", checks: "pp" },
      { case: "1", arm: "without_skill", checks: "ff", run: CRASHED_RUN },
    ];
    const benchmark = benchmarkOf(aBenchmark({ rows }));
    expect(benchmark?.cases[0]).toMatchObject({
      treatment: { runs: 2, scored: 1, passRate: 1, stddev: null },
      baseline: { runs: 2, scored: 2, passRate: 0.5 },
    });
    expect(benchmark?.arms[0]).toMatchObject({ trials: 2, scored: 1, leftOut: { invalid: 1 } });
    expect(benchmark?.arms[1]).toMatchObject({ counted: 2, brokeOff: { crashed: 1 } });
  });

  it("gives time, tokens and cost an interval, and nothing where they are unknown", () => {
    const usage = (tokens: number) => ({
      inputTokens: tokens,
      outputTokens: 0,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
      costUsd: null,
    });
    const rows = wins(6).map((row, at) => ({
      ...row,
      run: {
        durationMs: row.arm === "with_skill" ? 4000 + at : 2000 + at,
        usage: usage(row.arm === "with_skill" ? 300 : 100),
      },
    }));
    const comparison = benchmarkOf(aBenchmark({ rows }))?.comparisons[0];
    expect(comparison?.seconds?.difference).toBeCloseTo(2, 2);
    expect(comparison?.seconds?.interval?.low).toBeGreaterThan(1.9);
    expect(comparison?.tokens).toMatchObject({ difference: 200, cases: 6 });
    expect(comparison?.tokens?.ratio).toBeCloseTo(3);
    expect(comparison?.tokens?.ratioInterval?.low).toBeCloseTo(3);
    expect(comparison?.costUsd).toBeNull();
  });

  it("does not depend on the order of cases or on the arms' names being swapped, but for the sign", () => {
    const checks = fc.stringMatching(/^[pfu]{1,3}$/);
    const arms = fc.record({
      with_skill: fc.array(checks, { minLength: 1, maxLength: 3 }),
      without_skill: fc.array(checks, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(arms, { minLength: 1, maxLength: 7 }), (cases) => {
        const rows = benchRows(Object.fromEntries(cases.map((one, at) => [`k${at}`, one])));
        const there = benchmarkOf(aBenchmark({ rows }))?.comparisons[0]?.passRate;
        const back = benchmarkOf(aBenchmark({ rows: swapped(rows) }))?.comparisons[0]?.passRate;
        expect(back?.cases).toBe(there?.cases);
        expect(back?.pValue).toBe(there?.pValue);
        expect((back?.lift ?? 0) + (there?.lift ?? 0)).toBeCloseTo(0, 12);
      }),
      { numRuns: 100 },
    );
  });
});
