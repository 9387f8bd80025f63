import { describe, expect, it } from "vitest";
import { aBenchmark, benchRows, type BenchRow } from "../../../test/support/benchmarks.ts";
import { benchmarkOf } from "./benchmark.ts";

const findings = (rows: readonly BenchRow[]) => {
  const benchmark = benchmarkOf(aBenchmark({ rows }));
  return { notes: benchmark?.notes.join("\n") ?? "", cases: benchmark?.cases ?? [] };
};

const pair = (withSkill: readonly string[], without: readonly string[]) =>
  benchRows({ "1": { with_skill: withSkill, without_skill: without } });

describe("notes", () => {
  it.each([
    [
      "passes everywhere",
      ["p", "p"],
      ["p", "p"],
      "passes in every run of both arms and does not differentiate",
    ],
    [
      "fails everywhere",
      ["f", "f"],
      ["f", "f"],
      "fails in every run of both arms and does not differentiate",
    ],
    ["passes only with", ["p", "p"], ["f", "f"], "passes only in with_skill"],
    ["passes only without", ["f", "f"], ["p", "p"], "passes only in without_skill: with_skill breaks it"],
  ])("on a check that %s", (_name, withSkill, without, expected) => {
    expect(findings(pair(withSkill, without)).notes).toContain(`Check "check 1" (1) ${expected}`);
  });

  it("say nothing of a check that differs only sometimes", () => {
    expect(findings(pair(["p", "f"], ["f", "f"])).notes).not.toContain("check 1");
  });

  it("name a few checks of a kind and count the rest", () => {
    const { notes } = findings(pair(["pppppppppp"], ["pppppppppp"]));
    expect(notes.match(/^Check /gm)).toHaveLength(6);
    expect(notes).toContain("The same is true of 4 more checks");
  });

  it("name cases whose runs vary", () => {
    expect(findings(pair(["pp", "ff", "pp"], ["ff", "ff", "ff"])).notes).toContain(
      "Case 1 varies between runs of with_skill (67 % ± 58 % over 3 runs)",
    );
  });

  it("tell what it costs", () => {
    const rows = pair(["p"], ["f"]).map((row) => ({
      ...row,
      run: { durationMs: row.arm === "with_skill" ? 13_000 : 5_000 },
    }));
    expect(findings(rows).notes).toContain(
      "with_skill against without_skill per run: +8.0 s (x2.60), for +1.00 in pass rate",
    );
  });

  it("find the run that took far longer than its like", () => {
    const rows = pair(["p", "p", "p"], ["f"]).map((row, at) => ({
      ...row,
      run: { durationMs: at === 1 ? 60_000 : 5_000 },
    }));
    expect(findings(rows).notes).toContain(
      "Run 1/with_skill/run-2 is an outlier: 60.0 s, where 5.0 is typical",
    );
  });

  it("tell of runs that were taken over, and of runs that changed the skill", () => {
    const rows = pair(["p", "p"], ["f", "f"]).map((row, at) => ({
      ...row,
      run: [{ skillEdits: ["SKILL.md"] }, {}, { reusedFrom: "iteration-3" }, {}][at] ?? {},
    }));
    const { notes } = findings(rows);
    expect(notes).toContain("without_skill: 1 of 2 runs were taken over from an earlier iteration");
    expect(notes).toContain("with_skill: 1 of 2 runs changed the skill under test");
  });
});

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
      ["the same checks fail in both arms: the scenario does not exercise what tells them apart"],
    ],
    [
      "everything fails",
      pair(["ff"], ["ff"]),
      ["every check fails in both arms: too hard, or the checks ask for what neither does"],
    ],
    ["the skill hurts", pair(["f"], ["p"]), ["without_skill does better here"]],
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
    expect(findings(rows).cases[0]?.noSignal).toEqual(expected);
  });
});
