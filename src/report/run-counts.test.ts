import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aBenchmark, benchRows, type BenchRow } from "../../test/support/benchmarks.ts";
import { countsText, repeatedText } from "./run-counts.ts";
import { summarize } from "./summarize.ts";

const armOf = (rows: readonly BenchRow[]) => {
  const summary = summarize(aBenchmark({ rows }), { minPassRate: null, allowMissing: 0 });
  const arm = summary.variants.find(({ variant }) => variant === "with_skill");
  if (arm === undefined) throw new Error("there is no such arm");
  return { arm, inBenchmark: summary.benchmark?.arms[0] };
};

describe("what stands beside a rate", () => {
  const loaded = { activations: [{ skill: "demo", by: "tool", event: 1 }] } as const;
  const rows: BenchRow[] = [
    { case: "1", arm: "with_skill", checks: "pu", run: loaded },
    { case: "1", arm: "with_skill", checks: "ff", run: { outcome: { status: "crashed", message: "" } } },
    { case: "2", arm: "with_skill", checks: "fu", run: { activations: [] } },
    { case: "2", arm: "with_skill", checks: "pp", run: { outcome: leftOut("auth", "") } },
    { case: "2", arm: "with_skill", checks: null },
    { case: "1", arm: "without_skill", checks: "pp" },
  ];

  it("is counted per arm, the same in the summary and in the benchmark", () => {
    const { arm, inBenchmark } = armOf(rows);
    const counts = {
      trials: 5,
      counted: 3,
      failing: 2,
      brokeOff: { crashed: 1 },
      leftOut: { auth: 1 },
      notRun: 1,
      unscoredChecks: 2,
      loaded: 2,
    };
    expect(arm).toMatchObject(counts);
    expect(inBenchmark).toMatchObject(counts);
    expect(countsText(arm)).toBe(
      "3 of 5 trials counted, skill loaded in 2; 1 crashed; left out: 1 auth, 1 not run; 2 checks unscored",
    );
  });

  it("says nothing of loading where no skill is installed", () => {
    const summary = summarize(aBenchmark({ rows }), { minPassRate: null, allowMissing: 0 });
    const bare = summary.variants.find(({ variant }) => variant === "without_skill");
    expect(bare?.loaded).toBeNull();
  });
});

describe("repeated runs", () => {
  it("say how often at least one and how often all of a case's runs pass", () => {
    const { arm } = armOf(
      benchRows({ "1": { with_skill: ["p", "p", "f"] }, "2": { with_skill: ["p", "p", "p"] } }),
    );
    expect(arm.repeated).toMatchObject({ runs: 3, cases: 2, any: { rate: 1 }, all: { rate: 0.5 } });
    expect(arm.repeated && repeatedText(arm.repeated)).toMatch(
      /^3 runs of a case: at least one passes 100 % \(pass@3, 95 % .*\), all pass 50 % \(pass\^3, 95 % .*\)$/,
    );
  });

  it("are compared over as many runs as every case has", () => {
    const { arm } = armOf(
      benchRows({ "1": { with_skill: ["p", "f", "f", "f"] }, "2": { with_skill: ["p", "f"] } }),
    );
    expect(arm.repeated).toMatchObject({ runs: 2, any: { rate: 0.75 }, all: { rate: 0 } });
  });

  it("are nothing to speak of where a case ran once", () => {
    expect(
      armOf(benchRows({ "1": { with_skill: ["p", "p"] }, "2": { with_skill: ["p"] } })).arm.repeated,
    ).toBeNull();
  });
});

describe("the interval of an arm's rate", () => {
  const many = (cases: number, checks: string) =>
    benchRows(
      Object.fromEntries(Array.from({ length: cases }, (_, at) => [`${at}`, { with_skill: [checks] }])),
    );

  it("counts a case once, however many checks it has", () => {
    const few = armOf(many(5, "p")).arm.checks;
    const lots = armOf(many(5, "p".repeat(20))).arm.checks;
    expect([lots.low, lots.high]).toEqual([few.low, few.high]);
    expect(lots).toMatchObject({ passed: 100, total: 100, rate: 1 });
    expect(lots.low).toBeCloseTo(0.5655, 4);
  });

  it("is none for a single case", () => {
    expect(armOf(many(1, "pppppppp")).arm.checks).toMatchObject({ rate: 1, low: null, high: null });
  });
});
