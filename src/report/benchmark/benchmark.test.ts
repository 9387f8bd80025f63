import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import type { Variant } from "../../domain/trial.ts";
import { aBenchmark, benchRows, type BenchRow, checksOf } from "../../../test/support/benchmarks.ts";
import { aCase } from "../../../test/support/cases.ts";
import { benchmarkOf } from "./benchmark.ts";

const INVALID_RUN = {
  outcome: leftOut("invalid", "the baseline was offered the skill demo"),
} as const;
const CRASHED_RUN = { outcome: { status: "crashed", message: "exit 1" } } as const;

/** So many cases, each won by the arm under test in both of its runs. */
function wins(cases: number): BenchRow[] {
  return benchRows(
    Object.fromEntries(
      Array.from({ length: cases }, (_, at) => [
        String(at + 1),
        { with_skill: ["pp", "pp"], without_skill: ["pf", "ff"] },
      ]),
    ),
  );
}

function swapped(rows: readonly BenchRow[]): BenchRow[] {
  const other: Partial<Record<Variant, Variant>> = {
    with_skill: "without_skill",
    without_skill: "with_skill",
  };
  return rows.map((row) => ({ ...row, arm: other[row.arm] ?? row.arm }));
}

describe("the verdict", () => {
  it.each([
    ["every case wins", wins(8), "better"],
    ["every case loses", swapped(wins(8)), "worse"],
    ["every one of a few cases wins", wins(3), "better"],
    ["every one of a few cases loses", swapped(wins(3)), "worse"],
    ["one case only", wins(1), "underpowered"],
    ["no arm is scored", wins(3).map((row) => ({ ...row, run: INVALID_RUN })), "invalid"],
    [
      "one arm is left out",
      wins(8).map((row) => (row.arm === "without_skill" ? { ...row, run: INVALID_RUN } : row)),
      "invalid",
    ],
    ["nothing was run", wins(3).map((row) => ({ ...row, checks: null })), "invalid"],
    ["there is one arm", wins(8).filter((row) => row.arm === "with_skill"), "invalid"],
    ["no check is decided", wins(6).map((row) => ({ ...row, checks: "uu" })), "invalid"],
    ["there is no check", wins(6).map((row) => ({ ...row, checks: "" })), "invalid"],
  ] as [string, BenchRow[], string][])("when %s", (_name, rows, verdict) => {
    const benchmark = benchmarkOf(aBenchmark({ rows }));
    expect(benchmark?.verdict).toBe(verdict);
    expect(JSON.stringify(benchmark)).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("is not given when nobody asked for a comparison", () => {
    const evaluated = aBenchmark({ rows: wins(2) });
    expect(benchmarkOf({ ...evaluated, iteration: { ...evaluated.iteration, options: {} } })).toBeNull();
  });

  it("tells what holds on these cases from what holds on others: runs of three cases are not more cases", () => {
    const rows = benchRows(
      Object.fromEntries(
        ["1", "2", "3"].map((id) => [id, { with_skill: ["p", "p", "p"], without_skill: ["f", "f", "p"] }]),
      ),
    );
    const found = benchmarkOf(aBenchmark({ rows }))?.comparisons[0]?.passRate;
    expect(found).toMatchObject({
      verdict: "better",
      cases: 3,
      otherCases: { verdict: "too few", pValue: 0.25, casesNeeded: 6 },
    });
    expect(found?.explanation).toMatch(
      /^Better on these 3 cases: 33 % -> 100 % \(\+67 points, 95 % interval \+\d+ to \+\d+, p = 0\.0\d\d\)\. On other cases: 3 of 3 improved; 6 cases are needed to say more\.$/,
    );
  });

  it("compares only checks that were scored in both arms", () => {
    const rows = benchRows(
      Object.fromEntries(
        Array.from({ length: 6 }, (_, at) => [
          String(at),
          { with_skill: ["pu", "pu", "pf"], without_skill: ["pf", "pf", "pf"] },
        ]),
      ),
    );
    const benchmark = benchmarkOf(aBenchmark({ rows }));
    expect(benchmark?.comparisons[0]?.passRate).toMatchObject({
      verdict: "underpowered",
      lift: 0,
      pValue: 1,
    });
    expect(benchmark?.notes.join("\n")).toContain(
      "6 checks were unscored in some run of 6 cases and not compared",
    );
  });

  it("takes a difference below the smallest that matters for none", () => {
    const rows = benchRows(
      Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [
          String(at),
          { with_skill: Array(4).fill("pppppppppp"), without_skill: Array(4).fill("pppppppppf") },
        ]),
      ),
    );
    expect(benchmarkOf(aBenchmark({ rows }))?.verdict).toBe("better");
    expect(benchmarkOf(aBenchmark({ rows, bench: { minEffect: 0.2 } }))?.verdict).toBe("no difference seen");
  });

  it("compares versions, the new one under test", () => {
    const arms: Partial<Record<Variant, Variant>> = { with_skill: "new_skill", without_skill: "old_skill" };
    const rows = wins(8).map((row) => ({ ...row, arm: arms[row.arm] ?? row.arm }));
    const benchmark = benchmarkOf(aBenchmark({ rows }));
    expect(benchmark?.comparisons[0]).toMatchObject({ treatment: "new_skill", baseline: "old_skill" });
    expect(benchmark?.verdict).toBe("better");
  });

  it("compares the text in the prompt with both arms of its partner", () => {
    const inline = aBenchmark({
      number: 2,
      rows: wins(8)
        .filter((row) => row.arm === "with_skill")
        .map((row) => ({ ...row, arm: "inline" as const })),
    });
    const benchmark = benchmarkOf(inline, aBenchmark({ rows: wins(8) }));
    expect(benchmark?.comparisons.map(({ treatment, baseline }) => [treatment, baseline])).toEqual([
      ["inline", "without_skill"],
      ["with_skill", "inline"],
    ]);
    expect(benchmark?.verdict).toBe("better");
    expect(benchmarkOf(inline)?.verdict).toBe("invalid");
  });
});

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
    expect(benchmark?.notes.join("\n")).toContain(
      "with_skill: 1 of 2 runs are in the numbers; left out: 1 invalid",
    );
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

describe("adaptive", () => {
  const bench = { adaptive: { step: 2, maxRuns: 6 } };
  const rows = (runs: number) =>
    benchRows(
      Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [
          String(at),
          {
            with_skill: Array(runs).fill("p") as string[],
            without_skill: Array(runs).fill("f") as string[],
          },
        ]),
      ),
    );

  it("decides at the first look that reaches its share of the error rate", () => {
    const benchmark = benchmarkOf(aBenchmark({ rows: rows(2), bench }));
    expect(benchmark?.adaptive).toMatchObject({ maxLooks: 3, decidedAt: 1, runs: 40, plannedRuns: 120 });
    expect(benchmark?.verdict).toBe("better");
    expect(benchmark?.comparisons[0]?.passRate.alpha).toBeLessThan(0.05);
  });

  it("does not take an unfinished round for a look", () => {
    const benchmark = benchmarkOf(aBenchmark({ rows: rows(3), bench }));
    expect(benchmark?.adaptive?.looks).toHaveLength(1);
  });
});
