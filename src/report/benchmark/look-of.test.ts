import { expect, it } from "vitest";
import { aBenchmark, benchRows, type BenchParts } from "../../../test/support/benchmarks.ts";
import type { Reported } from "../evaluated.ts";
import { lookOf } from "./look-of.ts";

/** Two cases, so many runs of each in each arm. */
function benchmark(runs: number, bench: BenchParts["bench"] = {}) {
  const arms = { with_skill: Array<string>(runs).fill("p"), without_skill: Array<string>(runs).fill("f") };
  return aBenchmark({ rows: benchRows({ "1": arms, "2": arms }), bench });
}

const ADAPTIVE = { adaptive: { step: 2, maxRuns: 8 } };

it.each<[string, readonly Reported[], number]>([
  ["nothing was reported", [], 1],
  ["it was reported itself, also twice", [benchmark(6), benchmark(6)], 1],
  ["fewer runs were reported", [benchmark(3), benchmark(6)], 2],
  ["the same fewer runs were reported twice", [benchmark(3), benchmark(3)], 2],
  ["fewer and fewer runs were reported", [benchmark(3), benchmark(4), benchmark(5)], 4],
  ["more runs were reported: picking some is looking again", [benchmark(8)], 2],
  ["so few runs were reported that nothing could show", [benchmark(1), benchmark(2)], 1],
  [
    "the looks of --adaptive were reported, which share one plan",
    [3, 6].map((runs) => benchmark(runs, ADAPTIVE)),
    2,
  ],
  ["another skill's runs were reported", [changed(benchmark(3))], 1],
])("is counted where %s", (_name, reported, look) => {
  expect(lookOf({ ...benchmark(6), reported })).toBe(look);
});

it("is not counted anew while --adaptive goes on", () => {
  const reported = [2, 4].map((runs) => benchmark(runs, ADAPTIVE));
  expect(lookOf({ ...benchmark(6, ADAPTIVE), reported })).toBe(1);
});

function changed(one: Reported): Reported {
  return { ...one, trials: one.trials.map((trial) => ({ ...trial, key: `another ${trial.key}` })) };
}
