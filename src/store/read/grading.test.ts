import { describe, expect, it } from "vitest";
import { gradingReader } from "./grading.ts";
import { read } from "./fixtures/read.ts";

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

  it("is read from one file for several arms", () => {
    const { reading, problems } = read(gradingReader, {
      with_skill: entries,
      without_skill: { expectations: [entries[1]] },
    });
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({
      runs: [],
      arms: {
        with_skill: [{ status: "passed" }, { status: "failed" }],
        without_skill: [{ status: "failed" }],
      },
    });
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
