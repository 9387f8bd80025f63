import { describe, expect, it } from "vitest";
import { comparisonReader } from "./comparison.ts";
import { read } from "./fixtures/read.ts";

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
