import { describe, expect, it } from "vitest";
import { analysisReader } from "./analysis.ts";
import { read } from "./fixtures/read.ts";

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
