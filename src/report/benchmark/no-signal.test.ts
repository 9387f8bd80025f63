import { describe, expect, it } from "vitest";
import { aBenchmark, benchRows, type BenchRow } from "../../../test/support/benchmarks.ts";
import { benchmarkOf } from "./benchmark.ts";

const pair = (withSkill: readonly string[], without: readonly string[]) =>
  benchRows({ "1": { with_skill: withSkill, without_skill: without } });

describe("why a case shows nothing", () => {
  const never = { activations: [] };
  const unseen = { activations: [], validity: { status: "unverified", reason: "silent client" } } as const;
  it.each([
    ["the skill helps", pair(["p"], ["f"]), []],
    [
      "the baseline passes already",
      pair(["p"], ["p"]),
      ["saturated: every check passes in without_skill already"],
    ],
    [
      "the skill was not loaded",
      pair(["pf"], ["pf"]).map((row) => ({ ...row, run: never })),
      ["the skill was never loaded"],
    ],
    [
      "nobody saw it being loaded",
      pair(["pf"], ["pf"]).map((row) => ({ ...row, run: unseen })),
      ["the skill was not seen to be loaded"],
    ],
    [
      "loaded, but the same checks fail",
      pair(["pf"], ["pf"]),
      ["the same checks fail on both sides: the case does not exercise what sets them apart"],
    ],
    [
      "flaky checks come out even",
      pair(["pf", "pp"], ["pp", "pf"]),
      ["both sides pass equally often, with checks that pass only in some runs"],
    ],
    [
      "other checks fail, but as many",
      pair(["pf"], ["fp"]),
      ["both sides pass equally often, but on different checks"],
    ],
    [
      "everything fails",
      pair(["ff"], ["ff"]),
      ["every check fails on both sides: too hard, or the checks ask for something neither does"],
    ],
    ["the skill hurts", pair(["f"], ["p"]), ["passed less often than in without_skill"]],
    ["an arm has no scored run", pair(["u"], ["p"]), ["not compared: no scored run in with_skill"]],
    ["there is no check", pair([""], [""]), ["the case has no check"]],
    [
      "the judge wavers",
      pair(["pf"], ["pf"]).map((row) => ({ ...row, withinJudges: 0.5 })),
      ["the judge agrees with itself in only 50 % of pairs of answers"],
    ],
    [
      "the judge wavers where the skill helps",
      pair(["p"], ["f"]).map((row) => ({ ...row, withinJudges: 0.5 })),
      ["the judge agrees with itself in only 50 % of pairs of answers"],
    ],
  ] as [string, BenchRow[], string[]][])("when %s", (_name, rows, expected) => {
    expect(benchmarkOf(aBenchmark({ rows }))?.cases[0]?.noSignal).toEqual(expected);
  });
});
