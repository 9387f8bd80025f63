import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { reportRows } from "../../src/operations/rows.ts";
import { show } from "../../src/operations/show.ts";
import { trend } from "../../src/operations/trend.ts";
import { machineIn } from "../support/machine.ts";
import { tempTree } from "../support/temp-tree.ts";

const ROWS = [
  {
    case: "sums a column",
    pass: true,
    output: "420",
    prompt: "What is the total?",
    costUsd: 0.02,
    durationMs: 1500,
  },
  { case: "sums a column", pass: false, output: "about 400", costUsd: 0.03 },
  {
    case: "an empty file",
    checks: [
      { text: "says so", pass: true },
      { text: "gives no totals", pass: null },
    ],
  },
  { case: "a service that is down", error: "503 from the service" },
];

describe("rows of a script", () => {
  it("are an iteration that show and trend read, in which nothing unknown counts", async () => {
    await using project = await tempTree({});
    const door = { machine: machineIn(project.root) };
    const { summary } = await reportRows({ rows: ROWS, name: "csv" }, door);
    expect(summary).toMatchObject({
      suite: "csv",
      harness: "script",
      verdict: "unfinished",
      missing: { leftOut: { invalid: 1 }, unscoredChecks: 1 },
      cases: [{ stability: 0.5 }, { checks: { passed: 1, total: 1 } }, { stability: null }],
    });
    expect(summary.usage.costUsd).toBeCloseTo(0.05);
    const shown = await show({ run: "sums-a-column/with_skill/run-2" }, door);
    expect(JSON.stringify(shown)).toContain("about 400");
    expect((await trend({}, door)).points).toHaveLength(1);
  });

  it("of two variants are compared as a benchmark's arms", async () => {
    await using project = await tempTree({});
    const rows = ["with_skill", "without_skill"].flatMap((variant) =>
      [1, 2, 3, 4, 5].map((run) => ({ case: "one", variant, run, pass: variant === "with_skill" })),
    ) as Parameters<typeof reportRows>[0]["rows"];
    const { summary } = await reportRows({ rows, name: "csv" }, { machine: machineIn(project.root) });
    expect(summary.benchmark?.comparisons[0]?.passRate).toMatchObject({ verdict: "better", lift: 1 });
  });

  it.each([
    [[], "rows/invalid", "must not be empty"],
    [[{ pass: true }], "rows/invalid", "case"],
    [[{ case: "a", passed: true }], "rows/invalid", "passed"],
    [[{ case: "a", pass: "yes" }], "rows/invalid", "true or false"],
    [
      [
        { case: "a", run: 1 },
        { case: "a", run: 1 },
      ],
      "rows/same-run",
      "two rows are run 1",
    ],
    ["rows", "rows/invalid", "must be"],
  ])("%j are refused, and nothing is written", async (rows, code, words) => {
    await using project = await tempTree({});
    const call = reportRows({ rows: rows as never }, { machine: machineIn(project.root) });
    await expect(call).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
    expect(await readdir(project.root)).toEqual([]);
  });
});
