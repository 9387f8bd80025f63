import { describe, expect, it } from "vitest";
import { benchmarkReader } from "./benchmark.ts";
import { read } from "./fixtures/read.ts";

describe("benchmark.json", () => {
  const spread = { mean: 0.85, stddev: 0.05, min: 0.8, max: 0.9 };
  const result = {
    pass_rate: 0.85,
    passed: 6,
    failed: 1,
    total: 7,
    time_seconds: 42.5,
    tokens: 3800,
    tool_calls: 18,
    errors: 0,
  };
  const seed = {
    metadata: {
      skill_name: "pdf",
      skill_path: "/path/to/pdf",
      executor_model: "<model-name>",
      analyzer_model: "most-capable",
      timestamp: "2026-01-15T10:30:00Z",
      evals_run: [1, "two"],
      runs_per_configuration: 3,
    },
    runs: [
      {
        eval_id: 1,
        eval_name: "Ocean",
        configuration: "with_skill",
        run_number: 2,
        result,
        expectations: [{ text: "a", passed: true, evidence: "b" }],
        notes: ["stale"],
      },
    ],
    run_summary: {
      with_skill: { pass_rate: spread, time_seconds: spread, tokens: spread },
      "old_skill (iter4)": { pass_rate: spread },
      delta: { pass_rate: "+0.50", time_seconds: "-13.0", tokens: "+1700" },
    },
    notes: ["n"],
    statistics: { ours: true },
  };

  it("is read as the seed has it, with any configuration names", () => {
    const { reading, problems } = read(benchmarkReader, seed);
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({
      metadata: {
        skillName: "pdf",
        executorModel: null,
        analyzerModel: "most-capable",
        evalsRun: [1, "two"],
      },
      runs: [
        { evalId: 1, runNumber: 2, result: { passRate: 0.85, toolCalls: 18, errors: 0 }, notes: ["stale"] },
      ],
      delta: {
        passRate: { value: 0.5, text: "+0.50" },
        timeSeconds: { value: -13 },
        tokens: { value: 1700 },
      },
      notes: ["n"],
      extras: { statistics: { ours: true } },
    });
    expect(reading?.configurations.map(({ name }) => name)).toEqual(["with_skill", "old_skill (iter4)"]);
    expect(reading?.configurations[1]).toMatchObject({ passRate: spread, tokens: null });
  });

  it("is read as agentskills.io has it: a summary alone, numbers as deltas, no extremes", () => {
    const { reading, problems } = read(benchmarkReader, {
      run_summary: {
        with_skill: { pass_rate: { mean: 0.83, stddev: 0.06 } },
        without_skill: { pass_rate: 0.33 },
        delta: { pass_rate: 0.5, tokens: -3 },
      },
    });
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({
      runs: [],
      configurations: [
        { passRate: { mean: 0.83, stddev: 0.06, min: null, max: null } },
        { passRate: { mean: 0.33, stddev: null } },
      ],
      delta: { passRate: { value: 0.5, text: "+0.5" }, tokens: { value: -3, text: "-3" }, timeSeconds: null },
    });
  });

  it.each([
    ["+14.3%", null],
    ["—", null],
    ["\u22120.5", -0.5],
    ["-0.0", 0],
    [".5", 0.5],
  ])("takes the delta %s as %s", (text, value) => {
    const { reading } = read(benchmarkReader, {
      run_summary: { a_skill: { tokens: 1 }, delta: { tokens: text } },
    });
    expect(reading?.delta.tokens).toEqual({ value, text });
  });

  it.each([
    ["config", { config: "with_skill", result }],
    ["condition", { condition: "with_skill", result }],
    ["figures beside the configuration", { configuration: "with_skill", ...result }],
    ["errors as a list", { configuration: "with_skill", result: { ...result, errors: [] } }],
    ["tool_calls null", { configuration: "with_skill", result: { ...result, tool_calls: null } }],
    ["assertions", { configuration: "with_skill", eval_id: "ocean", assertions: [], result }],
  ])("reads a run with %s", (_, run) => {
    const { reading, problems } = read(benchmarkReader, { runs: [run] });
    expect(problems).toEqual([]);
    expect(reading?.runs).toMatchObject([
      { configuration: "with_skill", runNumber: 1, result: { passRate: 0.85, errors: 0 } },
    ]);
  });

  it("leaves out what it cannot read and says so", () => {
    const { reading, problems } = read(benchmarkReader, {
      runs: [
        { eval_id: 1, with_skill: {}, without_skill: {} },
        { configuration: "x", result },
      ],
      run_summary: { with_skill: { tokens: 1 }, cost_efficiency: { emoji: "x" }, delta: {} },
    });
    expect(reading?.runs).toHaveLength(1);
    expect(reading?.configurations).toHaveLength(1);
    expect(problems).toEqual([
      expect.stringMatching(/^note .*several configurations at once/),
      expect.stringMatching(/^note .*"cost_efficiency" has neither/),
    ]);
  });

  it("reads a summary that is a list, or stands at the top", () => {
    const listed = read(benchmarkReader, {
      run_summary: [{ configuration: "with_skill", pass_rate: spread }],
    });
    expect(listed.reading?.configurations).toMatchObject([{ name: "with_skill", passRate: spread }]);
    const atTop = read(benchmarkReader, {
      with_skill: { pass_rate: 1 },
      without_skill: { pass_rate: 0.5 },
      delta: { pass_rate: "+0.5" },
    });
    expect(atTop.reading?.configurations.map(({ name }) => name)).toEqual(["with_skill", "without_skill"]);
    expect(atTop.problems).toEqual([expect.stringMatching(/^note .*at the top/)]);
  });

  it.each([
    [
      { configurations: [], summary: {} },
      /neither "runs" nor "run_summary": its keys are configurations, summary/,
    ],
    [{ runs: [{ eval_id: 1 }] }, /no run and no summary in it can be read/],
    [[], /must be an object, not a list/],
  ])("is refused with the reason: %j", (value, message) => {
    const { reading, problems } = read(benchmarkReader, value);
    expect(reading).toBeNull();
    expect(problems.at(-1)).toMatch(message);
  });
});
