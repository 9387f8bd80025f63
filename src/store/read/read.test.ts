import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretMask } from "../../lib/secret-mask.ts";
import { sampleCase, sampleGrading, sampleRun, sampleVerdict } from "../fixtures/samples.ts";
import { iterationFolder } from "../layout.ts";
import { evalMetadataFile } from "../write/eval-metadata.ts";
import { writeEvalMetadata, writeGradingFiles, writeRunFiles } from "../write/run-folder.ts";
import { analysisReader } from "./analysis.ts";
import { benchmarkReader } from "./benchmark.ts";
import { comparisonReader } from "./comparison.ts";
import { evalMetadataReader } from "./eval-metadata.ts";
import { feedbackReader } from "./feedback.ts";
import { gradingReader } from "./grading.ts";
import { historyReader } from "./history.ts";
import { metricsReader } from "./metrics.ts";
import type { ResultFile } from "./result-file.ts";
import { findRuns } from "./runs.ts";
import { timingReader } from "./timing.ts";

function read<T>(reader: ResultFile<T>, value: unknown) {
  const { value: reading, diagnostics } = reader.parse("f.json", JSON.stringify(value));
  return {
    reading,
    problems: diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
  };
}

describe("grading.json", () => {
  const entries = [
    { text: "Names Ada", passed: true, evidence: "line 1" },
    { text: "Rhymes", passed: false, evidence: "no" },
  ];

  it.each(["expectations", "assertions", "assertion_results"])("is read from %s", (key) => {
    const { reading, problems } = read(gradingReader, { [key]: entries });
    expect(problems).toEqual([]);
    expect(reading?.runs).toMatchObject([
      [
        { text: "Names Ada", status: "passed", evidence: "line 1" },
        { text: "Rhymes", status: "failed", evidence: "no" },
      ],
    ]);
    expect(reading?.summary).toEqual({ passed: 1, failed: 1, ungraded: 0, total: 2, passRate: 0.5 });
  });

  it("is read from runs", () => {
    const { reading } = read(gradingReader, {
      runs: [{ expectations: entries }, { assertions: [entries[0]] }],
    });
    expect(reading?.runs.map((run) => run.length)).toEqual([2, 1]);
    expect(reading?.summary).toMatchObject({ passed: 2, failed: 1 });
  });

  it("takes `expectation` and `reason` for statement and evidence, and keeps the rest", () => {
    const entry = {
      id: 3,
      expectation: "Rhymes",
      passed: true,
      reason: "it does",
      verdict: "PASS",
      score: 0.9,
    };
    expect(read(gradingReader, { expectations: [entry] }).reading?.runs[0]).toEqual([
      {
        text: "Rhymes",
        status: "passed",
        evidence: "it does",
        id: "3",
        score: 0.9,
        extras: { verdict: "PASS" },
      },
    ]);
  });

  it("takes passed: null for ungraded, which counts neither way", () => {
    const { reading, problems } = read(gradingReader, {
      expectations: [...entries, { text: "?", passed: null, evidence: "" }],
      summary: { passed: 1, failed: 1, total: 2, pass_rate: 0.5 },
    });
    expect(problems).toEqual([]);
    expect(reading?.summary).toEqual({ passed: 1, failed: 1, ungraded: 1, total: 2, passRate: 0.5 });
  });

  it.each([
    [{ passed: 1, failed: 1, total: 2, pass_rate: 0.5 }, 0, /$/],
    [{ passed: 1, failed: 1, total: 2, pass_rate: 0.504 }, 0, /$/],
    [{ passed: 1 }, 0, /$/],
    [
      { passed: 2, failed: 1, total: 3, pass_rate: 0.67 },
      1,
      /passed is 2, counted 1, total is 3, counted 2, pass_rate/,
    ],
    [{ passed: 1, failed: 1, total: 2, pass_rate: 50 }, 1, /pass_rate is 50, counted 0.5/],
  ])("recounts the summary %j", (summary, noted, note) => {
    const { reading, problems } = read(gradingReader, { expectations: entries, summary });
    expect(reading?.summary.passed).toBe(1);
    expect(problems.filter((problem) => !note.test(problem))).toEqual([]);
    expect(problems).toHaveLength(noted);
  });

  it("has no rate without a graded statement", () => {
    expect(read(gradingReader, { expectations: [] }).reading?.summary.passRate).toBeNull();
  });

  it("reads every section of the seed, and nulls in their place", () => {
    const { reading, problems } = read(gradingReader, {
      expectations: entries,
      execution_metrics: { tool_calls: { Read: 5 }, total_steps: 6, transcript_chars: null, track: "x" },
      timing: { executor_duration_seconds: 165, grader_duration_seconds: null, total_duration_seconds: 191 },
      claims: [{ claim: "12 fields", type: "factual", verified: true, evidence: "counted" }],
      user_notes_summary: { uncertainties: ["2023 data"], needs_review: [], workarounds: ["overlay"] },
      eval_feedback: { suggestions: [{ assertion: "a", reason: "weak" }, { reason: "gap" }], overall: "ok" },
      configuration: "with_skill",
    });
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({
      metrics: { toolCalls: { Read: 5 }, totalToolCalls: 5, transcriptChars: null, extras: { track: "x" } },
      timing: { totalDurationSeconds: 191, graderDurationSeconds: null },
      claims: [{ claim: "12 fields", verified: true }],
      userNotes: { uncertainties: ["2023 data"], needsReview: [], workarounds: ["overlay"] },
      evalFeedback: { suggestions: [{ assertion: "a" }, { assertion: null, reason: "gap" }], overall: "ok" },
      extras: { configuration: "with_skill" },
    });
    const bare = {
      expectations: entries,
      timing: null,
      user_notes_summary: null,
      execution_metrics: null,
      claims: null,
    };
    expect(read(gradingReader, bare)).toMatchObject({ reading: { timing: null, claims: [] }, problems: [] });
  });

  it.each([
    [
      { with_skill: entries, without_skill: [] },
      /gradings of several configurations.*keys are with_skill, without_skill/,
    ],
    [{ "eval-1": { passed: true } }, /no list of graded statements: its keys are eval-1/],
    [{}, /no list of graded statements: it is empty/],
    [{ expectations: ["just text"] }, /expectations\[0\] must be an object, not the string "just text"/],
    [{ expectations: [{ text: "a", passed: "yes" }] }, /passed must be true or false, not the string "yes"/],
    [{ expectations: [{ text: "a" }] }, /expectations\[0\] has no "passed"/],
    [{ expectations: [{ passed: true }] }, /has no "text"/],
    [[], /must be an object, not a list/],
  ])("is refused with the reason: %j", (value, message) => {
    const { reading, problems } = read(gradingReader, value);
    expect(reading).toBeNull();
    expect(problems).toEqual([expect.stringMatching(message)]);
  });
});

describe("timing.json", () => {
  it.each([
    [{ total_tokens: 10, duration_ms: 23_332, total_duration_seconds: 23.3 }, [10, 23_332, 23.3]],
    [{ total_tokens: 10, duration_ms: 23_332 }, [10, 23_332, 23.332]],
    [{ total_tokens: null, duration_ms: 5 }, [null, 5, 0.005]],
    [{ total_duration_seconds: 2 }, [null, 2000, 2]],
    [{ duration_seconds: 2.5, prompt_tokens: 3 }, [null, 2500, 2.5]],
    [{ elapsed_seconds: 2.5 }, [null, 2500, 2.5]],
    [{ elapsed_ms: 2500 }, [null, 2500, 2.5]],
    [{ executor_duration_seconds: 3, executor_start: "2026-01-15T10:30:00Z" }, [null, 3000, 3]],
  ])("of %j", (value, [tokens, ms, seconds]) => {
    const { reading, problems } = read(timingReader, value);
    expect(problems).toEqual([]);
    expect([reading?.totalTokens, reading?.durationMs, reading?.totalDurationSeconds]).toEqual([
      tokens,
      ms,
      seconds,
    ]);
  });

  it.each([
    [
      { task_id: "x", note: "lost" },
      /none of the fields of timing.json is there: its keys are task_id, note/,
    ],
    [{ total_tokens: null }, /none of the fields/],
  ])("without any figure is refused: %j", (value, message) => {
    expect(read(timingReader, value)).toMatchObject({
      reading: null,
      problems: [expect.stringMatching(message)],
    });
  });

  it("notes a figure that is none and takes it as unknown", () => {
    const { reading, problems } = read(timingReader, { total_tokens: "many", duration_ms: 4 });
    expect(reading).toMatchObject({ totalTokens: null, durationMs: 4 });
    expect(problems).toEqual([
      expect.stringMatching(/^note timing\/wrong-type: total_tokens must be a number/),
    ]);
  });
});

describe("metrics.json", () => {
  it("is read as the seed has it", () => {
    const { reading, problems } = read(metricsReader, {
      tool_calls: { Read: 5, Write: 2 },
      total_tool_calls: 7,
      total_steps: 6,
      files_created: ["a.pdf"],
      errors_encountered: 0,
      output_chars: 12_450,
      transcript_chars: 3200,
    });
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({ totalToolCalls: 7, filesCreated: ["a.pdf"], errorsEncountered: 0 });
  });

  it("without a known field is refused", () => {
    expect(read(metricsReader, { track: "x" }).problems).toEqual([
      expect.stringMatching(/its keys are track/),
    ]);
  });
});

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

describe("history.json", () => {
  const entry = (version: string, is_current_best: boolean) => ({
    version,
    parent: version === "v0" ? null : "v0",
    expectation_pass_rate: 0.65,
    grading_result: version === "v0" ? "baseline" : "won",
    is_current_best,
  });
  const history = (current_best: string, ...iterations: unknown[]) => ({
    started_at: "2026-01-15T10:30:00Z",
    skill_name: "pdf",
    current_best,
    iterations,
  });

  it("is read as the seed has it", () => {
    const { reading, problems } = read(historyReader, history("v1", entry("v0", false), entry("v1", true)));
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({ skillName: "pdf", currentBest: "v1" });
    expect(reading?.iterations[0]).toMatchObject({
      version: "v0",
      parent: null,
      expectationPassRate: 0.65,
      gradingResult: "baseline",
    });
  });

  it("believes the entries where they and current_best differ", () => {
    const { reading, problems } = read(historyReader, history("v0", entry("v0", false), entry("v1", true)));
    expect(reading?.currentBest).toBe("v1");
    expect(problems).toEqual([
      expect.stringMatching(/^note history\/best-differs: current_best is v0, but the entries mark v1/),
    ]);
  });

  it.each([
    [history("v0"), /iterations must not be empty/],
    [history("v0", { ...entry("v0", true), grading_result: "win" }), /"win"/],
    [history("v0", { ...entry("v0", true), expectation_pass_rate: 65 }), /between 0 and 1, not 65/],
    [{}, /no "started_at"/],
  ])("is refused with the reason %#", (value, message) => {
    const { reading, problems } = read(historyReader, value);
    expect(reading).toBeNull();
    expect(problems[0]).toMatch(message);
  });
});

describe("comparison.json", () => {
  const side = (points: number, scores: object = {}) => ({
    content: { correctness: points, completeness: points },
    structure: { organization: points },
    ...scores,
  });
  const comparison = {
    winner: "A",
    reasoning: "complete",
    rubric: { A: side(5, { content_score: 5, structure_score: 5, overall_score: 10 }), B: side(2) },
    output_quality: { A: { score: 9, strengths: ["x"], weaknesses: [] }, B: { score: 4 } },
    expectation_results: {
      A: { passed: 4, total: 5, pass_rate: 0.8, details: [{ text: "n", passed: true }] },
      B: { passed: 3, total: 5, pass_rate: 0.6, details: [] },
    },
  };

  it("is read as the seed has it, with scores computed from the points", () => {
    const { reading, problems } = read(comparisonReader, comparison);
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({
      winner: "A",
      rubric: { A: { overallScore: 10 }, B: { contentScore: 2, structureScore: 2, overallScore: 4 } },
      outputQuality: { B: { score: 4, strengths: [] } },
      expectationResults: {
        A: { summary: { passed: 1, total: 1 } },
        B: { summary: { passed: 3, failed: 2, passRate: 0.6 } },
      },
    });
  });

  it("accepts the seed's own rounding, and notes more than that", () => {
    const thirds = {
      content: { correctness: 5, completeness: 5, accuracy: 4 },
      structure: { organization: 4, formatting: 5, usability: 4 },
      content_score: 4.7,
      structure_score: 4.3,
      overall_score: 9,
    };
    const rubric = { A: thirds, B: { ...thirds, overall_score: 7 } };
    const { problems } = read(comparisonReader, { ...comparison, rubric });
    expect(problems).toEqual([
      expect.stringMatching(/^note comparison\/score-differs: overall_score is 7, but its points give 9/),
    ]);
  });

  it.each([
    [{ ...comparison, winner: "tie" }, "TIE"],
    [{ ...comparison, winner: " b " }, "B"],
  ])("reads the winner %#", (value, winner) => {
    expect(read(comparisonReader, value).reading?.winner).toBe(winner);
  });

  it("does without expectations", () => {
    const { expectation_results: _left, ...rest } = comparison;
    expect(read(comparisonReader, rest)).toMatchObject({
      reading: { expectationResults: null },
      problems: [],
    });
  });

  it.each([
    [{ ...comparison, winner: "with_skill" }, /winner must be "A", "B" or "TIE", not "with_skill"/],
    [{ total_evals: 5, a_wins: 2 }, /no "winner"/],
    [{ ...comparison, rubric: { A: side(1) } }, /rubric has no "B"/],
  ])("is refused with the reason %#", (value, message) => {
    const { reading, problems } = read(comparisonReader, value);
    expect(reading).toBeNull();
    expect(problems[0]).toMatch(message);
  });
});

describe("analysis.json", () => {
  const analysis = {
    comparison_summary: { winner: "A", winner_skill: "a", loser_skill: "b", comparator_reasoning: "c" },
    winner_strengths: ["clear steps"],
    loser_weaknesses: ["vague"],
    instruction_following: {
      winner: { score: 9, issues: ["skipped logging"] },
      loser: { score: 6, issues: [] },
    },
    improvement_suggestions: [
      {
        priority: "high",
        category: "instructions",
        suggestion: "be explicit",
        expected_impact: "less guessing",
      },
    ],
    transcript_insights: { winner_execution_pattern: "read, did", loser_execution_pattern: "tried" },
  };

  it("is read as the seed has it", () => {
    const { reading, problems } = read(analysisReader, analysis);
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({
      comparison: { winner: "A", winnerSkill: "a" },
      instructionFollowing: { winner: { score: 9 }, loser: { issues: [] } },
      improvementSuggestions: [
        { priority: "high", category: "instructions", expectedImpact: "less guessing" },
      ],
      transcriptInsights: { loserExecutionPattern: "tried" },
    });
  });

  it("does without the optional parts", () => {
    const { instruction_following: _i, transcript_insights: _t, ...rest } = analysis;
    expect(read(analysisReader, rest)).toMatchObject({
      reading: { instructionFollowing: null, transcriptInsights: null },
      problems: [],
    });
  });

  it("is refused with every reason at once", () => {
    const { reading, problems } = read(analysisReader, {
      ...analysis,
      winner_strengths: "clear",
      improvement_suggestions: [{ priority: "hi", category: "x", suggestion: "y" }],
    });
    expect(reading).toBeNull();
    expect(problems).toEqual([
      expect.stringMatching(/winner_strengths must be a list/),
      expect.stringMatching(/priority must be one of/),
    ]);
  });
});

describe("eval_metadata.json", () => {
  it.each([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [
      [{ text: "a" }, { name: "n", description: "b" }, { name: "c" }],
      ["a", "b", "c"],
    ],
    [{ first: "a", second: { description: "b" } }, ["a", "b"]],
    [[], []],
    [null, []],
  ])("reads assertions %j", (assertions, expected) => {
    const { reading, problems } = read(evalMetadataReader, {
      eval_id: 0,
      eval_name: "x",
      prompt: "p",
      assertions,
    });
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({ evalId: 0, evalName: "x", prompt: "p", assertions: expected });
  });

  it("is refused when it says nothing about an eval", () => {
    expect(read(evalMetadataReader, { other: 1 }).problems).toEqual([
      expect.stringMatching(/its keys are other/),
    ]);
  });
});

describe("feedback.json", () => {
  it.each([
    [
      { reviews: [{ run_id: "eval-1-with_skill-run-1", feedback: "", timestamp: "t" }], status: "complete" },
      { status: "complete", reviews: [{ runId: "eval-1-with_skill-run-1", feedback: "", timestamp: "t" }] },
    ],
    [
      { reviews: [], status: "in_progress" },
      { status: "in_progress", reviews: [] },
    ],
    [
      { reviews: [], status: "other" },
      { status: null, reviews: [] },
    ],
    [
      { "eval-ocean": "too long", "eval-sky": "" },
      {
        status: null,
        reviews: [
          { runId: "eval-ocean", feedback: "too long", timestamp: null },
          { runId: "eval-sky", feedback: "", timestamp: null },
        ],
      },
    ],
    [{}, { status: null, reviews: [] }],
  ])("reads %j", (value, expected) => {
    expect(read(feedbackReader, value)).toEqual({ reading: expected, problems: [] });
  });

  it.each([
    [{ reviews: {} }, /reviews must be a list/],
    [{ reviews: [{ feedback: "x" }] }, /no "run_id"/],
    [{ "eval-1": 3 }, /eval-1 must be a string/],
    [[], /must be an object/],
  ])("refuses %j", (value, message) => {
    expect(read(feedbackReader, value)).toMatchObject({
      reading: null,
      problems: [expect.stringMatching(message)],
    });
  });
});

const READERS: [string, ResultFile<unknown>][] = Object.entries({
  analysisReader,
  benchmarkReader,
  comparisonReader,
  evalMetadataReader,
  feedbackReader,
  gradingReader,
  historyReader,
  metricsReader,
  timingReader,
});

describe.each(READERS)("%s", (_, reader) => {
  it("never throws, and says why it refuses (property)", () => {
    const keys = fc.constantFrom(
      "expectations",
      "assertions",
      "runs",
      "summary",
      "run_summary",
      "delta",
      "with_skill",
      "timing",
      "metadata",
      "reviews",
      "iterations",
      "rubric",
      "A",
      "B",
      "winner",
      "tool_calls",
      "result",
      "text",
      "passed",
      "x",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 0, -1.5, "", "A", "+0.5"),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(keys, tie("any"), { maxKeys: 5 }),
      ),
    })).any;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          value.map((one) => JSON.stringify(one)),
        ),
        (text) => {
          const { value: reading, diagnostics } = reader.parse("f.json", text);
          expect(reading === null).toBe(diagnostics.some(({ severity }) => severity === "error"));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ['{"a": "cut', "file/syntax"],
    ["", "file/empty"],
    ['{"a":1,"a":2}', "file/duplicate-key"],
    ["[".repeat(5000), "file/too-deep"],
    ["../evals/grading.json", "file/symlink-stub"],
  ])("refuses %s with a place", (text, code) => {
    expect(reader.parse("f.json", text)).toMatchObject({
      value: null,
      diagnostics: [{ code, at: { file: "f.json" } }],
    });
  });

  it("says so when there is no file", async () => {
    const path = join(tmpdir(), "no-such-folder", "f.json");
    expect(await reader.read(path)).toMatchObject({
      value: null,
      diagnostics: [{ code: "file/unreadable", at: { file: path } }],
    });
  });
});

describe("what we write", () => {
  it("is read back without a note", async () => {
    const root = await mkdtemp(join(tmpdir(), "read-"));
    try {
      const iteration = iterationFolder(root);
      const folder = iteration.run("eval-1/with_skill/run-1");
      const mask = secretMask([]);
      const run = sampleRun();
      const record = {
        prompt: "p",
        skill: "s",
        inputs: [],
        run,
        transcript: [],
        output: null,
        withOutputs: true,
      };
      const metrics = await writeRunFiles(folder, record, mask);
      const verdicts = [
        sampleVerdict(),
        sampleVerdict({ status: "failed" }),
        sampleVerdict({ status: "unscored" }),
      ];
      const claims = [{ claim: "c", type: "factual", verified: true, evidence: "e" }] as const;
      const evalFeedback = { suggestions: [{ assertion: null, reason: "r" }], overall: "o" };
      await writeGradingFiles(
        folder,
        { run, grading: sampleGrading({ verdicts, claims, evalFeedback }), metrics },
        mask,
      );
      await writeEvalMetadata(
        iteration.case("eval-1"),
        { variant: "with_skill", file: evalMetadataFile(sampleCase(), 1) },
        mask,
      );
      expect(await gradingReader.read(folder.grading)).toMatchObject({
        diagnostics: [],
        value: { summary: { passed: 1, failed: 1, ungraded: 1, passRate: 0.5 }, claims, evalFeedback },
      });
      expect(await timingReader.read(folder.timing)).toMatchObject({
        diagnostics: [],
        value: { totalTokens: 1230, durationMs: 23_332 },
      });
      expect(await metricsReader.read(folder.metrics)).toMatchObject({
        diagnostics: [],
        value: { totalToolCalls: 3, totalSteps: 3 },
      });
      expect(await evalMetadataReader.read(iteration.case("eval-1").metadata)).toMatchObject({
        diagnostics: [],
        value: { evalId: 1 },
      });
      expect(await findRuns(root)).toMatchObject([
        { evalFolder: "eval-1", configuration: "with_skill", number: 1 },
      ]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe("findRuns", () => {
  it.each([
    [
      "ours",
      [
        "eval-1/with_skill/run-2/",
        "eval-1/with_skill/run-10/",
        "triggers/q001/with_skill/run-1/",
        "triggers/q001/run-1/",
        "attempts/eval-1~x/1/files/",
      ],
      ["eval-1 with_skill 2", "eval-1 with_skill 10"],
    ],
    [
      "flat, as agentskills.io documents it",
      ["eval-ocean/with_skill/outputs/", "eval-ocean/old_skill/grading.json"],
      ["eval-ocean old_skill 1", "eval-ocean with_skill 1"],
    ],
    [
      "named after what the evals are about",
      ["ocean-poem/with_skill/run-1/", "birthday card/old_skill/outputs/"],
      ["birthday card old_skill 1", "ocean-poem with_skill 1"],
    ],
    ["below runs/", ["runs/eval-0/without_skill/run-1/"], ["eval-0 without_skill 1"]],
    ["nothing", ["notes/", "eval-1/inputs/x.txt"], []],
  ])("in a folder that is %s", async (_, paths, expected) => {
    const root = await mkdtemp(join(tmpdir(), "runs-"));
    try {
      for (const path of paths) {
        await mkdir(join(root, path.slice(0, path.lastIndexOf("/"))), { recursive: true });
        if (!path.endsWith("/")) await writeFile(join(root, path), "{}");
      }
      const found = await findRuns(root);
      expect(
        found.map(({ evalFolder, configuration, number }) => `${evalFolder} ${configuration} ${number}`),
      ).toEqual(expected);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("is empty where there is no folder", async () => {
    expect(await findRuns(join(tmpdir(), "no-such-folder"))).toEqual([]);
  });
});
