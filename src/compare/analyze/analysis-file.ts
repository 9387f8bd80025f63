import type { JsonObject } from "../../domain/json.ts";
import { sideOf } from "../assignment.ts";
import type { BlindOutcome, PairOutcome } from "../outcome.ts";
import type { Contender } from "../pair.ts";
import type { AnalysisReply, Following } from "./reply.ts";
import type { Suggestion } from "./review.ts";
import type { SkillFiles } from "./skill-files.ts";

export interface AnalysisParts {
  readonly outcome: BlindOutcome;
  readonly telling: PairOutcome;
  /** Who `winner` and `loser` stand for; after a tie, A and B. */
  readonly roles: readonly [Contender, Contender];
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
  readonly reply: AnalysisReply;
  readonly suggestions: readonly Suggestion[];
  readonly dropped: readonly string[];
}

/** analysis.json to the field; what is ours beside it is which versions and which case, what each suggestion cites, and notes. */
export function analysisFile(parts: AnalysisParts): JsonObject {
  const { outcome, telling, roles, skills, reply, suggestions, dropped } = parts;
  const [one, two] = roles;
  const { versions } = outcome.assignment;
  const skillOf = (who: Contender) => skills[who]?.path ?? versions[who];
  const side = outcome.winner === "TIE" ? "TIE" : sideOf(outcome.assignment, outcome.winner);
  const said = telling.judgements.flatMap(({ verdict }) => verdict ?? []);
  const reasoning = (said.find(({ winner }) => winner === side) ?? said[0])?.reasoning ?? "";
  return {
    comparison_summary: {
      winner: side,
      winner_skill: skillOf(one),
      loser_skill: skillOf(two),
      comparator_reasoning: reasoning,
    },
    winner_strengths: reply.strengths,
    loser_weaknesses: reply.weaknesses,
    instruction_following: { winner: following(reply.following[0]), loser: following(reply.following[1]) },
    improvement_suggestions: suggestions.map(
      ({ priority, category, suggestion, expectedImpact, transcript, skill }) => ({
        priority,
        category,
        suggestion,
        expected_impact: expectedImpact,
        transcript: {
          of: transcript.run === 1 ? "winner" : "loser",
          event: transcript.event,
          quote: transcript.quote,
        },
        skill: {
          of: skill.of === 1 ? "winner" : "loser",
          file: skill.file,
          line: skill.line,
          quote: skill.quote,
        },
      }),
    ),
    transcript_insights: {
      winner_execution_pattern: reply.patterns[0],
      loser_execution_pattern: reply.patterns[1],
    },
    versions: { winner: versions[one], loser: versions[two] },
    tie: outcome.winner === "TIE",
    case_id: telling.caseId,
    repetition: telling.repetition,
    notes: [
      ...(outcome.winner === "TIE"
        ? [`nobody won: "winner" stands for ${versions[one]}, "loser" for ${versions[two]}`]
        : []),
      ...[one, two].flatMap((who) =>
        skills[who] === null ? [`the text of the skill in ${versions[who]} is not known`] : [],
      ),
      ...dropped.map((each) => `dropped a suggestion without support: ${each}`),
    ],
  };
}

function following({ score, issues }: Following): JsonObject {
  return { score, issues };
}
