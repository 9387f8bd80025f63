import { describe, expect, it } from "vitest";
import { aBenchmark, benchRows, type BenchRow } from "../../../test/support/benchmarks.ts";
import { summarize } from "../summarize.ts";
import { benchmarkLines } from "./benchmark-text.ts";
import { compareLift } from "./compare-lift.ts";

function answerTo(rows: readonly BenchRow[]) {
  const { benchmark, verdict } = summarize(aBenchmark({ rows }), { minPassRate: null, allowMissing: 0 });
  if (benchmark === null) throw new Error("there is no benchmark");
  const text = benchmarkLines(benchmark, 20).join("\n");
  expect(JSON.stringify(benchmark) + text).not.toMatch(/NaN|undefined|Infinity/);
  return { benchmark, verdict, text };
}

const each = (cases: number, withSkill: readonly string[], without: readonly string[]) =>
  benchRows(
    Object.fromEntries(
      Array.from({ length: cases }, (_, at) => [`${at}`, { with_skill: withSkill, without_skill: without }]),
    ),
  );

describe("a benchmark that cannot decide says so", () => {
  it("with one run per arm, and says how many it takes", () => {
    const { benchmark, text } = answerTo(each(3, ["pp"], ["ff"]));
    expect(benchmark).toMatchObject({ verdict: "underpowered", decision: { action: "add runs" } });
    expect(text).toMatch(/So few runs cannot show any difference/);
  });

  it("with no scored check", () => {
    const { benchmark, text } = answerTo(each(3, ["uu", "uu"], ["uu", "uu"]));
    expect(benchmark).toMatchObject({ verdict: "invalid", decision: { action: "fix first" } });
    expect(text).toContain("No case was scored on both sides, so there is nothing to compare.");
  });

  it("with no check at all", () => {
    expect(answerTo(each(3, ["", ""], ["", ""])).benchmark.verdict).toBe("invalid");
  });

  it("with cases that only one arm has", () => {
    const rows = benchRows({ a: { with_skill: ["p", "p", "p"] }, b: { without_skill: ["f", "f", "f"] } });
    const { benchmark, text } = answerTo(rows);
    expect(benchmark).toMatchObject({ verdict: "invalid", decision: { action: "fix first" } });
    expect(text).toContain("2 cases were scored on at most one side and are not counted.");
  });
});

it("leaves a case out that only one arm has, and decides on the others", () => {
  const rows = [
    ...each(3, ["p", "p", "p"], ["f", "f", "f"]),
    ...benchRows({ lone: { with_skill: ["f", "f", "f"] } }),
  ];
  const { benchmark, text } = answerTo(rows);
  expect(benchmark.comparisons[0]?.passRate).toMatchObject({ verdict: "better", cases: 3, casesLeftOut: 1 });
  expect(text).toContain("1 case was scored on at most one side and is not counted.");
});

it("takes 1,000 checks of one case for one case", () => {
  const half = "pf".repeat(500);
  const { benchmark, text } = answerTo(each(1, Array(3).fill("p".repeat(1_000)), Array(3).fill(half)));
  expect(benchmark.comparisons[0]?.passRate).toMatchObject({ cases: 1, verdict: "underpowered" });
  expect(benchmark.comparisons[0]?.passRate.otherCases).toMatchObject({ verdict: "too few", casesNeeded: 6 });
  expect(text).toContain("Undecided on this 1 case");
  expect(text.split("\n").length).toBeLessThan(20);
});

it("says in one line what is true of hundreds of cases", () => {
  const rows = [
    ...each(300, ["p", "p", "p"], ["p", "p", "p"]),
    ...benchRows(
      Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [
          `low ${at}`,
          { with_skill: ["f", "f", "f"], without_skill: ["p", "p", "p"] },
        ]),
      ),
    ),
  ];
  const { text } = answerTo(rows);
  expect(text).toContain(
    "    0, 1, 2, 3, 4, 5, 6, 7 and 292 more: saturated: every check passes in without_skill already",
  );
  expect(text).toMatch(/low 7 and 292 more: passed less often than in without_skill/);
  expect(text.split("\n").length).toBeLessThan(20);
});

it("answers both questions over 10,000 cases", () => {
  const arm = (passed: number) =>
    new Map(
      Array.from({ length: 10_000 }, (_, at) => [
        `${at}`,
        [0, 1, 2].map((run) => ((at * 7919 + run * 104_729) % 10 < passed ? 1 : 0)),
      ]),
    );
  const options = { alpha: 0.05, minEffect: 0, seed: 1 };
  const found = compareLift({ treatment: arm(7), baseline: arm(6) }, options);
  expect(found).toMatchObject({ verdict: "better", cases: 10_000, otherCases: { verdict: "better" } });
  expect(found.lift).toBeCloseTo(0.1, 2);
  const same = compareLift({ treatment: arm(6), baseline: arm(6) }, options);
  expect(same).toMatchObject({ verdict: "no difference seen", lift: 0 });
});
