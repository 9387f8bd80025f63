import { object, optionalOrNull, required } from "../../lib/shape/object.ts";
import type { Shape } from "../../lib/shape/shape.ts";
import { list, number, oneOf, refine, text } from "../../lib/shape/values.ts";
import { type Extras, lenient, resultFile } from "./result-file.ts";

/** What made the winner of a comparison win, and what to change. */
export interface Analysis {
  readonly comparison: {
    readonly winner: string;
    readonly winnerSkill: string | null;
    readonly loserSkill: string | null;
    readonly comparatorReasoning: string | null;
  };
  readonly winnerStrengths: readonly string[];
  readonly loserWeaknesses: readonly string[];
  readonly instructionFollowing: { readonly winner: Following; readonly loser: Following } | null;
  readonly improvementSuggestions: readonly FiledSuggestion[];
  readonly transcriptInsights: {
    readonly winnerExecutionPattern: string | null;
    readonly loserExecutionPattern: string | null;
  } | null;
  readonly extras: Extras;
}

export interface Following {
  readonly score: number | null;
  readonly issues: readonly string[];
}

export interface FiledSuggestion {
  readonly priority: "high" | "medium" | "low";
  /** `instructions`, `tools`, `examples`, `error_handling`, `structure`, `references`, or a word of the analyst's own. */
  readonly category: string;
  readonly suggestion: string;
  readonly expectedImpact: string | null;
}

const loose = { unknownKeys: "allowed" } as const;
const line = text({ blank: "allowed" });

const following: Shape<Following> = refine(
  object({ score: lenient(number()), issues: lenient(list(line)) }, loose),
  ({ score, issues }) => ({ score, issues: issues ?? [] }),
);

const suggestion: Shape<FiledSuggestion> = refine(
  object(
    {
      priority: required(oneOf(["high", "medium", "low"])),
      category: required(text()),
      suggestion: required(text()),
      expected_impact: optionalOrNull(line),
    },
    loose,
  ),
  (raw) => ({
    priority: raw.priority,
    category: raw.category,
    suggestion: raw.suggestion,
    expectedImpact: raw.expected_impact,
  }),
);

export const analysisReader = resultFile<Analysis>(
  "analysis",
  refine(
    object(
      {
        comparison_summary: required(
          object(
            {
              winner: required(text()),
              winner_skill: lenient(line),
              loser_skill: lenient(line),
              comparator_reasoning: lenient(line),
            },
            loose,
          ),
        ),
        winner_strengths: required(list(line)),
        loser_weaknesses: required(list(line)),
        instruction_following: lenient(
          object({ winner: required(following), loser: required(following) }, loose),
        ),
        improvement_suggestions: required(list(suggestion)),
        transcript_insights: lenient(
          object({ winner_execution_pattern: lenient(line), loser_execution_pattern: lenient(line) }, loose),
        ),
      },
      loose,
    ),
    (raw) => ({
      comparison: {
        winner: raw.comparison_summary.winner,
        winnerSkill: raw.comparison_summary.winner_skill,
        loserSkill: raw.comparison_summary.loser_skill,
        comparatorReasoning: raw.comparison_summary.comparator_reasoning,
      },
      winnerStrengths: raw.winner_strengths,
      loserWeaknesses: raw.loser_weaknesses,
      instructionFollowing:
        raw.instruction_following === null
          ? null
          : { winner: raw.instruction_following.winner, loser: raw.instruction_following.loser },
      improvementSuggestions: raw.improvement_suggestions,
      transcriptInsights:
        raw.transcript_insights === null
          ? null
          : {
              winnerExecutionPattern: raw.transcript_insights.winner_execution_pattern,
              loserExecutionPattern: raw.transcript_insights.loser_execution_pattern,
            },
      extras: raw.extras,
    }),
  ),
);
