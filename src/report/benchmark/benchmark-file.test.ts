import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import { aBenchmark, benchRows, type BenchParts, type BenchRow } from "../../../test/support/benchmarks.ts";
import { aCase } from "../../../test/support/cases.ts";
import { evalIds } from "../../store/layout.ts";
import { benchmarkReader } from "../../store/read/benchmark.ts";
import { evidenceText, runNotes } from "../../store/write/grading.ts";
import { benchmarkFile } from "./benchmark-file.ts";
import { benchmarkMarkdown } from "./benchmark-markdown.ts";
import { benchmarkLines } from "./benchmark-text.ts";
import { benchmarkOf } from "./benchmark.ts";

function fileOf(parts: BenchParts) {
  const evaluated = aBenchmark(parts);
  const benchmark = benchmarkOf(evaluated);
  if (benchmark === null) throw new Error("no benchmark");
  const words = { evalIds: evalIds(evaluated.cases), evidence: evidenceText, notes: runNotes };
  return { benchmark, file: benchmarkFile(evaluated, benchmark, words) };
}

const usage = (tokens: number) => ({
  inputTokens: tokens,
  outputTokens: 7,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  costUsd: null,
});

const TWO_BY_TWO = benchRows({
  "1": { with_skill: ["ppp", "ppf"], without_skill: ["pff", "fff"] },
  "2": { with_skill: ["pp", "pp"], without_skill: ["pf", "pp"] },
}).map((row, at) => ({ ...row, run: { durationMs: 1000 + 250 * at, usage: usage(1000 + 3 * at) } }));

describe("benchmark.json", () => {
  const { file } = fileOf({ rows: TWO_BY_TWO });

  it("has the fields of skill-creator's schema, with real models and counts", () => {
    expect(file.metadata).toMatchObject({
      skill_name: "demo",
      timestamp: "2026-01-15T10:30:00.000Z",
      evals_run: [1, 2],
      runs_per_configuration: 2,
      executor_model: "the client's default",
      analyzer_model: "none: every check was decided by code",
    });
    expect(file.runs[0]).toEqual({
      eval_id: 1,
      eval_name: "1",
      configuration: "with_skill",
      run_number: 1,
      result: {
        pass_rate: 1,
        passed: 3,
        failed: 0,
        total: 3,
        time_seconds: 1,
        tokens: 1007,
        tool_calls: 0,
        errors: 0,
      },
      expectations: [1, 2, 3].map((at) => ({ text: `check ${at}`, passed: true, evidence: "1 of 1" })),
      notes: [],
    });
  });

  it("names the arm under test first and nothing but configurations and the delta in run_summary", () => {
    expect(Object.keys(file.run_summary)).toEqual(["with_skill", "without_skill", "delta"]);
    expect(Object.keys(file)).toEqual(["metadata", "runs", "run_summary", "notes", "statistics"]);
  });

  it("pools the scored runs: mean, deviation over n - 1, extremes, four decimals, signed deltas", () => {
    // By hand: rates 1, 2/3, 1, 1 against 1/3, 0, 1/2, 1, each rounded as grading.json has them.
    expect(file.run_summary["with_skill"]).toMatchObject({
      pass_rate: { mean: 0.9167, stddev: 0.1667, min: 0.6667, max: 1 },
      time_seconds: { mean: 1.625, stddev: 0.5951, min: 1, max: 2.25 },
      tokens: { mean: 1014.5, stddev: 7.1414, min: 1007, max: 1022 },
    });
    expect(file.run_summary["delta"]).toEqual({ pass_rate: "+0.46", time_seconds: "-0.5", tokens: "-6" });
  });

  it("is read back by our reader without a complaint", () => {
    const reading = benchmarkReader.parse("benchmark.json", JSON.stringify(file));
    expect(reading.diagnostics).toEqual([]);
    expect(reading.value?.runs).toHaveLength(8);
  });
});

describe("run_summary equals what Anthropic's aggregator computes from the same runs", () => {
  const row = fc.record({
    case: fc.constantFrom("1", "2", "3"),
    arm: fc.constantFrom("with_skill" as const, "without_skill" as const),
    checks: fc.stringMatching(/^[pfu]{0,7}$/),
    run: fc.record({
      durationMs: fc.integer({ min: 0, max: 900_000 }),
      usage: fc.integer({ min: 0, max: 2_000_000 }).map(usage),
    }),
  });

  it("for any runs", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 24 }), (rows: BenchRow[]) => {
        const { file } = fileOf({ rows: [...TWO_BY_TWO, ...rows] });
        for (const name of ["with_skill", "without_skill"]) {
          const runs = file.runs.filter((run) => run.configuration === name).map((run) => run.result);
          expect(file.run_summary[name]).toEqual({
            pass_rate: aggregate(runs.map((result) => result.pass_rate)),
            time_seconds: aggregate(runs.map((result) => result.time_seconds ?? 0)),
            tokens: aggregate(runs.map((result) => result.tokens ?? 0)),
          });
        }
      }),
      { numRuns: 200 },
    );
  });

  /** Written anew from the aggregator's description, with a rounding of its own. */
  function aggregate(values: readonly number[]) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.map((value) => (value - mean) ** 2).reduce((sum, value) => sum + value, 0);
    const stddev = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
    const round = (value: number) => expect.closeTo(value, 3.9);
    return {
      mean: round(mean),
      stddev: round(stddev),
      min: round(Math.min(...values)),
      max: round(Math.max(...values)),
    };
  }
});

describe("bad input stays right and readable", () => {
  const invalid = { outcome: leftOut("invalid", "contaminated") } as const;
  const crashed = { outcome: { status: "crashed", message: "exit 1" } } as const;
  const inputs: Record<string, BenchParts> = {
    "one arm only": { rows: TWO_BY_TWO.filter((row) => row.arm === "with_skill") },
    "all runs invalid": { rows: TWO_BY_TWO.map((row) => ({ ...row, run: invalid })) },
    "one case": { rows: TWO_BY_TWO.filter((row) => row.case === "1") },
    "zero checks": { rows: TWO_BY_TWO.map((row) => ({ ...row, checks: "" })) },
    "a crashed run in one arm": {
      rows: TWO_BY_TWO.map((row, at) => (at === 0 ? { ...row, checks: "fff", run: crashed } : row)),
    },
    "one run": { rows: TWO_BY_TWO.slice(0, 1) },
    "nothing run at all": { rows: TWO_BY_TWO.map((row) => ({ ...row, checks: null })) },
    "no trial": { rows: [] },
    "mixed id types": {
      rows: benchRows({
        "7": { with_skill: ["p"], without_skill: ["f"] },
        intro: { with_skill: ["p"], without_skill: ["f"] },
      }),
    },
    "tokens unknown": { rows: TWO_BY_TWO.map(({ run: _run, ...row }) => row) },
    "one arm against itself": {
      rows: TWO_BY_TWO.filter((row) => row.arm === "with_skill"),
      bench: { aa: true },
    },
  };

  it.each(Object.keys(inputs))("%s", (name) => {
    const { file, benchmark } = fileOf(inputs[name] ?? { rows: [] });
    const shown = [JSON.stringify(file), benchmarkMarkdown(file), benchmarkLines(benchmark, 99).join("\n")];
    for (const text of shown) expect(text).not.toMatch(/\bNaN\b|undefined|Infinity|\[object/);
    for (const one of Object.values(file.run_summary))
      expect(Object.keys(one)).toEqual(["pass_rate", "time_seconds", "tokens"]);
    const figures = Object.values(file.run_summary).flatMap((one) => Object.values(one));
    for (const stats of figures.filter((one) => one !== null && typeof one === "object")) {
      expect(Object.keys(stats)).toEqual(["mean", "stddev", "min", "max"]);
      expect(Object.values(stats).every(Number.isFinite)).toBe(true);
    }
    expect(benchmarkReader.parse("benchmark.json", JSON.stringify(file)).diagnostics).toEqual([]);
    expect(file.runs.every((run) => run.result.total > 0)).toBe(true);
    expect(new Set(file.runs.map((run) => typeof run.eval_id)).size).toBeLessThanOrEqual(1);
  });

  it("never takes a left-out run for a pass rate of 0", () => {
    const rows = TWO_BY_TWO.map((row, at) => (at === 0 ? { ...row, run: invalid } : row));
    const { file } = fileOf({ rows });
    expect(file.runs).toHaveLength(7);
    expect(file.metadata.left_out).toEqual({ with_skill: 1, without_skill: 0 });
    expect(file.run_summary["with_skill"]).toMatchObject({ pass_rate: { min: 0.6667 } });
  });

  it("gives ids of two types one type, and keeps the numbers there are", () => {
    const { file } = fileOf(inputs["mixed id types"] ?? { rows: [] });
    expect(file.metadata.evals_run).toEqual([7, 8]);
  });

  it("has no delta without a second arm", () => {
    expect(Object.keys(fileOf(inputs["one arm only"] ?? { rows: [] }).file.run_summary)).toEqual([
      "with_skill",
    ]);
  });

  it("leaves tables whole whatever a case is called", () => {
    const one = aCase({ id: "1", name: "a | b\n<script>", checks: [] });
    const text = benchmarkMarkdown(
      fileOf({ rows: TWO_BY_TWO.filter((row) => row.case === "1"), cases: [one] }).file,
    );
    expect(text).toContain("| 1 a \\| b &lt;script> |");
  });
});
