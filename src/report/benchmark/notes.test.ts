import { describe, expect, it } from "vitest";
import { aBenchmark, benchRows, type BenchRow } from "../../../test/support/benchmarks.ts";
import { benchmarkOf } from "./benchmark.ts";
import { benchmarkLines } from "./benchmark-text.ts";

const notesOf = (rows: readonly BenchRow[]) => benchmarkOf(aBenchmark({ rows }))?.notes.join("\n") ?? "";

const pair = (withSkill: readonly string[], without: readonly string[]) =>
  benchRows({ "1": { with_skill: withSkill, without_skill: without } });

/** So many cases, all with the same runs. */
const cases = (count: number, withSkill: readonly string[], without: readonly string[]) =>
  benchRows(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`c${at}`, { with_skill: withSkill, without_skill: without }]),
    ),
  );

const FOUR = (run: string) => Array.from({ length: 4 }, () => run);

describe("notes", () => {
  it("call nothing broken that so few runs show by chance too", () => {
    const notes = notesOf(cases(3, ["f", "f"], ["p", "p"]));
    expect(notes).toContain(
      "3 checks pass in every run of without_skill and in none of with_skill; that may be chance below 4 runs per case",
    );
    expect(notes).not.toContain("breaks it");
  });

  it.each([
    ["passes everywhere", ["p", "p"], ["p", "p"], "in every run on both sides and does not differentiate"],
    [
      "fails everywhere",
      ["f", "f"],
      ["f", "f"],
      "in no run on either side and does not differentiate so far",
    ],
    [
      "fails everywhere beyond chance",
      FOUR("f"),
      FOUR("f"),
      "in no run on either side and does not differentiate: too hard, or broken",
    ],
    ["passes only with", FOUR("p"), FOUR("f"), "in every run of with_skill and in none of without_skill"],
    [
      "passes only without",
      FOUR("f"),
      FOUR("p"),
      "in every run of without_skill and in none of with_skill: with_skill breaks it",
    ],
  ])("on a check that %s", (_name, withSkill, without, expected) => {
    expect(notesOf(pair(withSkill, without))).toContain(`Check "check 1" (1) passes ${expected}`);
  });

  it("say nothing of a check that differs only sometimes", () => {
    expect(notesOf(pair(["p", "f"], ["f", "f"]))).not.toContain("check 1");
  });

  it("say once what is true of the same check in many cases", () => {
    const notes = notesOf(cases(30, FOUR("p"), FOUR("f")));
    expect(notes.match(/^Check /gm)).toHaveLength(1);
    expect(notes).toContain(
      'Check "check 1" (c0; c1; c2 and 27 more) passes in every run of with_skill and in none of without_skill',
    );
  });

  it("say once that many cases vary, those first that vary most", () => {
    const rows = [
      ...cases(4, ["pppp", "pppf", "ppff"], ["ffff"]),
      ...pair(["pp", "ff", "pp"], ["ff", "ff", "ff"]),
    ];
    expect(notesOf(rows)).toContain(
      "5 cases vary between runs of with_skill (1: 67 % ± 58 % over 3 runs; c0: 75 % ± 25 % over 3 runs; c1: 75 % ± 25 % over 3 runs and 2 more)",
    );
  });

  it("put what is broken first", () => {
    const rows = [
      ...pair(FOUR("fp"), FOUR("pf")),
      ...benchRows({ "2": { with_skill: ["p", "p"], without_skill: ["p", "p"] } }),
    ];
    const notes = notesOf(rows).split("\n");
    expect(notes[0]).toContain("with_skill breaks it");
    expect(notes.at(-1)).toContain("does not differentiate");
  });

  it("are five on the terminal, whatever there is, and all in the file", () => {
    const checks = Array.from({ length: 12 }, () => "p").join("");
    const benchmark = benchmarkOf(aBenchmark({ rows: pair([checks], [checks]) }));
    expect(benchmark?.notes.length).toBeGreaterThan(10);
    const lines = benchmark === null ? [] : benchmarkLines(benchmark, 20);
    expect(lines.filter((line) => line.startsWith("  note: "))).toHaveLength(5);
    expect(lines).toContainEqual(expect.stringMatching(/and \d+ more notes in benchmark\.md/));
  });

  it("leave what it costs to the lines that have it with its interval", () => {
    const rows = pair(["p"], ["f"]).map((row) => ({
      ...row,
      run: { durationMs: row.arm === "with_skill" ? 13_000 : 5_000 },
    }));
    const benchmark = benchmarkOf(aBenchmark({ rows }));
    const told = (benchmark === null ? [] : benchmarkLines(benchmark, 20)).filter((line) =>
      line.includes("+8.0 s"),
    );
    expect(told).toEqual([expect.stringMatching(/^ {2}time per run: \+8\.0 s \(x2\.60/)]);
  });

  it("find the run that took far longer than its like", () => {
    const rows = pair(["p", "p", "p"], ["f"]).map((row, at) => ({
      ...row,
      run: { durationMs: at === 1 ? 60_000 : 5_000 },
    }));
    expect(notesOf(rows)).toContain(
      "1 run of with_skill took far more time than others of the same case (1/with_skill/run-2: 60.0 s, 5.0 is typical)",
    );
  });

  it("tell of runs that were taken over, and of runs that changed the skill", () => {
    const rows = pair(["p", "p"], ["f", "f"]).map((row, at) => ({
      ...row,
      run: [{ skillEdits: ["SKILL.md"] }, {}, { reusedFrom: "iteration-3" }, {}][at] ?? {},
    }));
    const notes = notesOf(rows);
    expect(notes).toContain("without_skill: 1 of 2 runs were reused from an earlier iteration");
    expect(notes).toContain("with_skill: 1 of 2 runs changed the skill under test");
  });
});
