import { expect, it } from "vitest";
import type { Run } from "../../domain/run.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { Variant } from "../../domain/trial.ts";
import { aBenchmark, benchRows, type BenchRow, swapped, wins } from "../../../test/support/benchmarks.ts";
import { summarize } from "../summarize.ts";
import { benchmarkLines } from "./benchmark-text.ts";
import { decisionWith } from "./decision.ts";

const GATES = { minPassRate: null, allowMissing: 0 };

function benchmarkOf(rows: readonly BenchRow[], bench = {}) {
  const { benchmark } = summarize(aBenchmark({ rows, bench }), GATES);
  if (benchmark === null) throw new Error("there is no benchmark");
  return benchmark;
}

function versions(rows: readonly BenchRow[]): BenchRow[] {
  const arms: Partial<Record<Variant, Variant>> = { with_skill: "new_skill", without_skill: "old_skill" };
  return rows.map((row) => ({ ...row, arm: arms[row.arm] ?? row.arm }));
}

const cases = (count: number, withSkill: readonly string[], without: readonly string[]) =>
  benchRows(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${at}`, { with_skill: withSkill, without_skill: without }]),
    ),
  );

const SAME = Array<string>(8).fill("pf");

it.each([
  ["better on few cases", wins(3), "ship", "Ship it: it does better on these cases."],
  ["better on many", wins(8), "ship", "Ship it: it does better on these cases, and on others like them."],
  ["worse", swapped(wins(8)), "do not ship", "Do not ship it: it does worse on these cases."],
  [
    "no difference to the old version",
    versions(cases(12, SAME, SAME)),
    "ship",
    "Ship it if you want the change: it makes no difference that matters on these cases.",
  ],
  [
    "no difference to no skill",
    cases(12, SAME, SAME),
    "do not ship",
    "Do not ship it for these cases: it makes no difference that matters on them.",
  ],
  [
    "no check at all",
    wins(3).map((row) => ({ ...row, checks: "" })),
    "fix first",
    /^Add checks first: no case has any/,
  ],
  ["nothing to compare", wins(3).map((row) => ({ ...row, checks: "uu" })), "fix first", /no case was scored/],
] as [string, BenchRow[], string, string | RegExp][])("when %s", (_name, rows, action, text) => {
  const { decision } = benchmarkOf(rows);
  expect(decision).toMatchObject({ action, text: expect.stringMatching(text) });
});

it("says how many runs to add and what they cost", () => {
  const run: Partial<Run> = { usage: { ...UNKNOWN_USAGE, costUsd: 0.5 } };
  const rows = cases(3, ["pf", "pp"], ["pf", "pf"]).map((row) => ({ ...row, run }));
  const { decision, comparisons } = benchmarkOf(rows);
  const needed = comparisons[0]?.passRate.runsNeeded ?? 0;
  const moreRuns = (needed - 2) * 3 * 2;
  expect(needed).toBeGreaterThan(2);
  expect(decision).toMatchObject({ action: "add runs", moreRuns, costUsd: moreRuns * 0.5, moreCases: null });
  expect(decision?.text).toBe(
    `Add about ${needed - 2} more runs of each case on each side (${moreRuns} runs in all, about $${(moreRuns / 2).toFixed(2)}): --runs ${needed} --resume.`,
  );
});

it("says how many cases to add where more runs would hardly help", () => {
  const run = { activations: [{ skill: "demo", by: "tool", event: 1 }] } as const;
  const rows = cases(1, ["pf", "pp", "pf"], ["pf", "pf", "pp"]).map((row) => ({ ...row, run }));
  const { decision } = benchmarkOf(rows, { minEffect: 0.02 });
  expect(decision).toMatchObject({ action: "add cases", moreRuns: null });
  expect(decision?.moreCases).toBeGreaterThan(0);
  expect(decision?.text).toContain(`Add about ${decision?.moreCases} cases`);
});

it.each([
  [
    "so few runs that nothing could show",
    ["p", "p"],
    "add runs",
    "Add runs: so few cannot show whether odd and even ones differ; --runs 2 can.",
  ],
  [
    "runs alike",
    ["p", "p", "p", "p"],
    "go on",
    "Go on: all runs of a case gave the same result, so chance hides next to nothing here.",
  ],
  [
    "runs that vary by chance",
    ["pp", "pf", "pf", "pp"],
    "go on",
    /^Go on: runs of the same skill differ no more than chance allows\. Differences below about \d+ points would be lost in the noise with this many runs\.$/,
  ],
  [
    "runs whose order matters",
    ["pp", "ff", "pp", "ff", "pp", "ff"],
    "fix first",
    /^Check the setup before you benchmark: odd and even runs of the same skill differ/,
  ],
  ["a single run", ["p"], "fix first", /no case was scored in two runs/],
] as [string, string[], string, string | RegExp][])(
  "says of one arm against itself what it makes of %s",
  (_name, runs, action, text) => {
    const { decision, comparisons } = benchmarkOf(cases(4, runs, []), { aa: true });
    expect(decision).toMatchObject({ action, text: expect.stringMatching(text) });
    expect(JSON.stringify(comparisons)).not.toContain("would show");
  },
);

it("stands first on the terminal", () => {
  expect(benchmarkLines(benchmarkOf(wins(3)), 20)[0]).toBe("  Ship it: it does better on these cases.");
});

it("gives way to an alarm, and so does every piece of advice", () => {
  const never = { activations: [] };
  const rows = cases(2, ["pf"], ["pf"]).map((row) => ({ ...row, run: never }));
  const benchmark = benchmarkOf(rows);
  expect(benchmark.alarms).toEqual([
    expect.stringContaining("the skill was never loaded in 2 with_skill runs"),
  ]);
  expect(benchmark.decision?.action).toBe("fix first");
  expect(JSON.stringify([benchmark.decision, benchmark.comparisons])).not.toMatch(
    /About \d|are needed to say more/,
  );
});

it.each([
  [
    "a gate that failed",
    { verdict: "failed", gates: [{ name: "last known good", caseId: null, met: false, detail: "" }] },
    "do not ship",
    "Do not ship it: last known good failed. So far it does better on these cases.",
  ],
  [
    "results that are missing",
    { verdict: "unfinished", gates: [] },
    "fix first",
    "Not yet: results are missing or undecided. So far it does better on these cases.",
  ],
  ["nothing against it", { verdict: "passed", gates: [] }, "ship", "Ship it: it does better on these cases."],
] as const)("is no word of shipping beside %s", (_, beside, action, text) => {
  const { decision } = benchmarkOf(wins(3));
  expect(decisionWith(decision, beside)).toMatchObject({ action, text });
});

it.each([
  ["runs are too few", cases(2, ["pf"], ["pf"])],
  ["the baseline passes everything", cases(2, ["p"], ["p"])],
])("says that a gate failed, and advises nothing, where %s", (_, rows) => {
  const gates = [{ name: "last known good", caseId: null, met: false, detail: "" }];
  const { decision } = benchmarkOf(rows);
  expect(decisionWith(decision, { verdict: "failed", gates })).toEqual({
    action: "do not ship",
    moreRuns: null,
    costUsd: null,
    moreCases: null,
    text: "Do not ship it: last known good failed. Whether it helps at all is undecided.",
  });
});

it("asks for no more runs of checks that pass nowhere", () => {
  const benchmark = benchmarkOf(cases(3, ["ff", "ff"], ["ff", "ff"]));
  expect(benchmark.decision).toMatchObject({
    action: "fix first",
    moreRuns: null,
    text: expect.stringMatching(/^Fix the cases first: no check passes in any run on either side/),
  });
  expect(benchmark.alarms).toEqual([expect.stringContaining("no check passes in any run on either side")]);
  expect(JSON.stringify(benchmark.comparisons)).not.toMatch(/About \d|are needed to say more/);
});

it("trusts cases that an earlier version passed", () => {
  const gate = { name: "last known good", caseId: null, met: false, detail: "Worse on these 3 cases" };
  const evaluated = aBenchmark({ rows: cases(3, ["ff", "ff"], ["ff", "ff"]) });
  const { benchmark, alarms } = summarize(evaluated, GATES, { gates: [gate] });
  expect(alarms).toEqual([]);
  expect(benchmark?.decision?.text).toMatch(/^Do not ship it: last known good failed\./);
});

it.each([true, false])("has the last known good among its notes, met: %s", (met) => {
  const gate = { name: "last known good", caseId: null, met, detail: "against iteration-1: 83 % -> 43 %" };
  const { benchmark } = summarize(aBenchmark({ rows: wins(3) }), GATES, { gates: [gate] });
  expect(benchmark?.notes[0]).toBe("last known good: against iteration-1: 83 % -> 43 %");
});
