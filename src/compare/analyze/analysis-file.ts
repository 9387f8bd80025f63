import { type AddressedPassage, addressedText } from "../../domain/grading.ts";
import type { JsonObject } from "../../domain/json.ts";
import { sideOf } from "../assignment.ts";
import { type BlindOutcome, type PairOutcome, preferredOf } from "../outcome.ts";
import type { Contender } from "../pair.ts";
import type { AnalysisReply, SaidFollowing } from "./reply.ts";
import type { CheckedSuggestion } from "./review.ts";
import type { SkillFiles } from "./skill-files.ts";

export interface AnalysisParts {
  readonly outcome: BlindOutcome;
  readonly telling: PairOutcome;
  /** Who `winner` and `loser` stand for; after a tie, the first and the second. */
  readonly roles: readonly [Contender, Contender];
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
  readonly reply: AnalysisReply;
  readonly suggestions: readonly CheckedSuggestion[];
  readonly dropped: readonly string[];
  /** What of each run speaks to the judge, in the order of `roles`. */
  readonly addressed: readonly [readonly AddressedPassage[], readonly AddressedPassage[]];
}

/** analysis.json to the field; what is ours beside it is which versions and which case, what each suggestion cites, and notes. */
export function analysisFile(parts: AnalysisParts): JsonObject {
  const { outcome, telling, roles, skills, reply, suggestions, dropped, addressed } = parts;
  const [one, two] = roles;
  const { versions } = outcome.assignment;
  const skillOf = (who: Contender) => skills[who]?.path ?? versions[who];
  const preferred = preferredOf(outcome);
  const confirmed = outcome.winner !== "TIE";
  const side = preferred === null ? "TIE" : sideOf(telling.sides, preferred);
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
    tie: preferred === null,
    confirmed,
    case_id: telling.caseId,
    repetition: telling.repetition,
    notes: [
      ...(preferred === null
        ? [`nobody won: "winner" stands for ${versions[one]}, "loser" for ${versions[two]}`]
        : confirmed
          ? []
          : [`not confirmed: the judges lean to ${versions[one]}, which may be chance`]),
      ...[one, two].flatMap((who) =>
        skills[who] === null ? [`the text of the skill in ${versions[who]} is not known`] : [],
      ),
      ...roles.flatMap((who, at) =>
        (addressed[at] ?? []).map((passage) => `in the run of ${versions[who]}, ${addressedText(passage)}`),
      ),
      ...dropped.map((each) => `dropped a suggestion without support: ${each}`),
    ],
  };
}

function following({ score, issues }: SaidFollowing): JsonObject {
  return { score, issues };
}
