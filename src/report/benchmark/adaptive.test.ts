import { describe, expect, it } from "vitest";
import { aBenchmark, benchRows, type BenchRow } from "../../../test/support/benchmarks.ts";
import { summarize } from "../summarize.ts";
import { benchmarkOf } from "./benchmark.ts";

const LOADED = [{ skill: "demo", by: "tool", event: 1 }] as const;

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

  it("says why it needs more cases than a benchmark that looks once", () => {
    const five = rows(2).filter((row) => Number(row.case) < 5);
    const [first] = benchmarkOf(aBenchmark({ rows: five, bench }))?.comparisons ?? [];
    expect(first?.passRate.explanation).toContain(
      "On other cases: 5 of 5 improved; 7 cases are needed to say more, because each look asks for more.",
    );
  });

  const cases = (withSkill: string, without: string, run: BenchRow["run"] = {}) =>
    benchRows({ "1": { with_skill: [withSkill, withSkill], without_skill: [without, without] } }).map(
      (row) => ({
        ...row,
        run: { activations: LOADED, ...run },
      }),
    );
  const crashed = { outcome: { status: "crashed", message: "exit 1" } } as const;

  it.each<[string, BenchRow[], string | RegExp]>([
    [
      "every run of an arm crashes",
      cases("f", "f", crashed),
      "no run finished (with_skill: 2 crashed; without_skill: 2 crashed)",
    ],
    ["everything passes anyway", cases("p", "p"), "every check passes without the skill too"],
    ["a loss is in sight", cases("f", "p"), /^$/],
    ["it is just open", cases("p", "f"), /^$/],
  ])("stops for a reason that more runs would not cure, when %s", (_name, all, reason) => {
    const { benchmark } = summarize(aBenchmark({ rows: all, bench }), { minPassRate: null, allowMissing: 0 });
    expect(benchmark?.adaptive?.stoppedBy ?? "").toMatch(reason);
  });

  it("does not take an unfinished round for a look", () => {
    const benchmark = benchmarkOf(aBenchmark({ rows: rows(3), bench }));
    expect(benchmark?.adaptive?.looks).toHaveLength(1);
  });
});
