import { describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import type { Variant } from "../../domain/trial.ts";
import { aBenchmark, benchRows, type BenchRow, swapped, wins } from "../../../test/support/benchmarks.ts";
import { benchmarkOf } from "./benchmark.ts";

const INVALID_RUN = {
  outcome: leftOut("invalid", "the baseline was offered the skill demo"),
} as const;

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

  it.each([
    [3, 0, "3 of 3 improved"],
    [0, 2, "2 of 2 got worse"],
    [3, 5, "3 of 8 improved and 5 got worse"],
    [5, 3, "5 of 8 improved and 3 got worse"],
  ])("counts %d cases that improved beside %d that got worse", (gains, losses, text) => {
    const won = wins(gains);
    const lost = swapped(wins(losses)).map((row) => ({ ...row, case: `lost ${row.case}` }));
    const [first] = benchmarkOf(aBenchmark({ rows: [...won, ...lost] }))?.comparisons ?? [];
    expect(first?.passRate.explanation).toMatch(new RegExp(`On other cases[^:]*: ${text}[;.]`));
  });

  it("says where the test moved a bound of the interval", () => {
    const intervalOf = (rows: readonly BenchRow[]) =>
      benchmarkOf(aBenchmark({ rows }))?.comparisons[0]?.passRate.interval;
    const oneCase = benchRows({ 1: { with_skill: ["p", "p", "p"], without_skill: ["f", "f", "f"] } });
    expect(intervalOf(oneCase)).toMatchObject({ low: 0, adjusted: "widened" });
    expect(intervalOf(wins(8))).not.toHaveProperty("adjusted");
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
    const benchmark = benchmarkOf(inline, { partner: aBenchmark({ rows: wins(8) }) });
    expect(benchmark?.comparisons.map(({ treatment, baseline }) => [treatment, baseline])).toEqual([
      ["inline", "without_skill"],
      ["with_skill", "inline"],
    ]);
    expect(benchmark?.verdict).toBe("better");
    expect(benchmarkOf(inline)?.verdict).toBe("invalid");
  });
});
