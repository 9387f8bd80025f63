import { closedObject, listOf } from "../../lib/shape/closed-schema.ts";
import { object, optional, required } from "../../lib/shape/object.ts";
import type { JsonSchema, Shape } from "../../lib/shape/shape.ts";
import { int, list, oneOf, refine, text } from "../../lib/shape/values.ts";

const PRIORITIES = ["high", "medium", "low"] as const;
const CATEGORIES = [
  "instructions",
  "tools",
  "examples",
  "error_handling",
  "structure",
  "references",
] as const;

/** What an analyst says about two runs; run 1 is the winner's, or A's after a tie. */
export interface AnalysisReply {
  readonly strengths: readonly string[];
  readonly weaknesses: readonly string[];
  readonly following: readonly [SaidFollowing, SaidFollowing];
  readonly patterns: readonly [string, string];
  readonly suggestions: readonly SaidSuggestion[];
}

export interface SaidFollowing {
  readonly score: number;
  readonly issues: readonly string[];
}

/** Nothing it cites is believed before it was looked up. */
export interface SaidSuggestion {
  readonly priority: (typeof PRIORITIES)[number];
  readonly category: (typeof CATEGORIES)[number];
  readonly suggestion: string;
  readonly expectedImpact: string;
  readonly transcript: { readonly run: 1 | 2; readonly event: number; readonly quote: string };
  readonly skill: {
    readonly of: 1 | 2;
    readonly file: string;
    readonly line: number;
    readonly quote: string;
  };
}

const loose = { unknownKeys: "allowed" } as const;
const line = text({ blank: "allowed" });
const place = refine(oneOf(["1", "2"]), (said): 1 | 2 => (said === "1" ? 1 : 2));
const following = object(
  { score: required(int({ min: 1, max: 10 })), issues: optional(list(line), []) },
  loose,
);

const suggestion: Shape<SaidSuggestion> = refine(
  object(
    {
      priority: required(oneOf(PRIORITIES)),
      category: required(oneOf(CATEGORIES)),
      suggestion: required(text()),
      expected_impact: required(text()),
      transcript: required(
        object({ run: required(place), event: required(int({ min: 0 })), quote: required(line) }, loose),
      ),
      skill: required(
        object(
          {
            of: required(place),
            file: required(line),
            line: required(int({ min: 0 })),
            quote: required(line),
          },
          loose,
        ),
      ),
    },
    loose,
  ),
  (raw) => ({
    priority: raw.priority,
    category: raw.category,
    suggestion: raw.suggestion,
    expectedImpact: raw.expected_impact,
    transcript: raw.transcript,
    skill: raw.skill,
  }),
);

export const analysisReply: Shape<AnalysisReply> = refine(
  object(
    {
      strengths: required(list(line)),
      weaknesses: required(list(line)),
      instruction_following: required(
        object({ run_1: required(following), run_2: required(following) }, loose),
      ),
      execution_pattern: required(object({ run_1: required(line), run_2: required(line) }, loose)),
      suggestions: required(list(suggestion)),
    },
    loose,
  ),
  (raw) => ({
    strengths: raw.strengths,
    weaknesses: raw.weaknesses,
    following: [raw.instruction_following.run_1, raw.instruction_following.run_2],
    patterns: [raw.execution_pattern.run_1, raw.execution_pattern.run_2],
    suggestions: raw.suggestions,
  }),
  schema(),
);

function schema(): JsonSchema {
  const words = { type: "string" };
  const whole = { type: "integer" };
  const which = { enum: ["1", "2"] };
  const both = (one: JsonSchema): JsonSchema => closedObject({ run_1: one, run_2: one });
  return closedObject({
    execution_pattern: both(words),
    instruction_following: both(closedObject({ issues: listOf(words), score: whole })),
    strengths: listOf(words),
    weaknesses: listOf(words),
    suggestions: listOf(
      closedObject({
        transcript: closedObject({ run: which, event: whole, quote: words }),
        skill: closedObject({ of: which, file: words, line: whole, quote: words }),
        category: { enum: CATEGORIES },
        suggestion: words,
        expected_impact: words,
        priority: { enum: PRIORITIES },
      }),
    ),
  });
}
