import { expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import type { Run } from "../domain/run.ts";
import { aBenchmark, benchRows, type BenchRow } from "../../test/support/benchmarks.ts";
import { summarize } from "./summarize.ts";

const GATES = { minPassRate: null, allowMissing: 0 };

const pair = (withSkill: readonly string[], without: readonly string[]) =>
  benchRows({ "1": { with_skill: withSkill, without_skill: without } });

const alarmsOf = (rows: readonly BenchRow[]) => summarize(aBenchmark({ rows }), GATES).alarms;

/** Runs of the arm under test that ended so. */
function ended(rows: readonly BenchRow[], ...runs: Partial<Run>[]): BenchRow[] {
  const left = [...runs];
  return rows.map((row) => (row.arm === "with_skill" ? { ...row, run: left.shift() ?? {} } : row));
}

const CRASHED = { outcome: { status: "crashed", message: "exit 1" } } as const;
const TIMED_OUT = { outcome: { status: "timed-out", afterMs: 1 } } as const;
const DENIED = { outcome: leftOut("auth", "no key") } as const;

it("is raised where an arm's failures are crashes, and names them", () => {
  const rows = ended(pair(["f", "f", "p"], ["p", "p", "f"]), CRASHED, TIMED_OUT);
  expect(alarmsOf(rows)).toEqual([
    "2 of 2 failing with_skill runs did not finish (1 crashed, 1 timed out): the agent never got to the end, so this says little about the skill; the first said: exit 1",
  ]);
});

it("is raised where every run of an arm breaks off", () => {
  const rows = ended(pair(["f", "f"], ["p", "f"]), CRASHED, CRASHED);
  expect(alarmsOf(rows).join()).toContain("no with_skill run finished (2 crashed)");
});

it("is not raised by one crash among honest failures", () => {
  expect(alarmsOf(ended(pair(["f", "f", "f"], ["p", "f", "f"]), CRASHED))).toEqual([]);
});

it("is raised where no run of an arm counts", () => {
  const rows = ended(pair(["p", "p"], ["p", "f"]), DENIED, DENIED);
  expect(alarmsOf(rows)).toEqual(["no with_skill run counts (2 auth): nothing to compare"]);
});

it("is raised where the skill was never loaded, also when the result is good", () => {
  const rows = pair(["p", "p"], ["f", "f"]).map((row) => ({ ...row, run: { activations: [] } }));
  expect(alarmsOf(rows).join()).toContain("the skill was never loaded in 2 with_skill runs");
});

it("is not raised where nobody can see what was loaded", () => {
  const run = { activations: [], validity: { status: "unverified", reason: "silent client" } } as const;
  expect(alarmsOf(pair(["p"], ["f"]).map((row) => ({ ...row, run })))).toEqual([]);
});
