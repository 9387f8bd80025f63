import type { AddressedPassage } from "../domain/grading.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Usage } from "../domain/run.ts";
import { sumUsage } from "../domain/usage.ts";
import { voicePerCase, voicePerPair, type VoiceTest } from "../stats/blind-votes.ts";
import type { Assignment, SidesOfPair } from "./assignment.ts";
import type { Judgement } from "./judge-pair.ts";
import type { Contender, Pair } from "./pair.ts";
import { countVotes, majority, voiceOf, type Vote, type VoteCounts, voteOf, weightsOf } from "./votes.ts";

/** What a blind comparison came to, with A and B resolved. */
export interface BlindOutcome {
  /** Confirmed on these very cases; nobody otherwise. */
  readonly winner: Contender | "TIE";
  /** Who is ahead, where that may be chance. */
  readonly leaning: Contender | null;
  readonly assignment: Assignment;
  readonly votes: VoteCounts;
  /** One voice per pair of outputs; names the winner. */
  readonly onTheseCases: VoiceTest;
  /** One voice per case. */
  readonly onOtherCases: VoiceTest;
  readonly pairs: readonly PairOutcome[];
  /** The share of judgements whose two orders name the same winner; null when there is none. */
  readonly positionAgreement: number | null;
  readonly usage: Usage;
}

export interface PairOutcome {
  readonly caseId: string;
  readonly repetition: number;
  readonly sides: SidesOfPair;
  /** Of most judges. */
  readonly winner: Contender | "TIE";
  /** From -1, all judges for the first, to 1; null: nobody could say. */
  readonly voice: number | null;
  /** There was nothing to ask about: both outputs are the same. */
  readonly identical: boolean;
  readonly votes: readonly Vote[];
  readonly judgements: readonly Judgement[];
  /** What of each output speaks to the judges, as far as they were shown it. */
  readonly addressed: SpeakingToJudges;
}

export type SpeakingToJudges = Readonly<Record<Contender, readonly AddressedPassage[]>>;

/** What became of one pair that judges were asked about. */
export interface AskedOutcome {
  /** In the order of the judges. */
  readonly judgements: readonly Judgement[];
  readonly addressed: SpeakingToJudges;
}

/** `asked` by pair; null where the outputs are identical. */
export function blindOutcome(
  pairs: readonly Pair[],
  asked: readonly (AskedOutcome | null)[],
  { assignment, alpha }: { readonly assignment: Assignment; readonly alpha?: number | undefined },
): BlindOutcome {
  const outcomes = pairs.map((pair, index) =>
    pairOutcome(pair, asked[index] ?? null, {
      sides: assignment.pairs[index]?.sides ?? { A: "first", B: "second" },
      judges: assignment.judges,
    }),
  );
  const heard = outcomes.map(({ caseId, votes }) => ({ caseId, votes: weightsOf(votes) }));
  const onTheseCases = voicePerPair(heard, alpha);
  const all = outcomes.flatMap((outcome) => outcome.judgements);
  const verdicts = all.flatMap(({ verdict }) => verdict ?? []);
  return {
    winner: onTheseCases.winner ?? "TIE",
    leaning: onTheseCases.leaning,
    assignment,
    votes: countVotes(outcomes.flatMap(({ votes }) => votes)),
    onTheseCases,
    onOtherCases: voicePerCase(heard, alpha),
    pairs: outcomes,
    positionAgreement:
      verdicts.length === 0
        ? null
        : verdicts.filter(({ positionAgreement }) => positionAgreement).length / verdicts.length,
    usage: sumUsage(all.map(({ usage }) => usage)),
  };
}

/** Whom the judges prefer, confirmed or not. */
export function preferredOf({ winner, leaning }: Pick<BlindOutcome, "winner" | "leaning">): Contender | null {
  return winner === "TIE" ? leaning : winner;
}

/** outcome.json: the versions by name, because its reader may know them. */
export function outcomeFile(outcome: BlindOutcome): JsonObject {
  const { assignment, onTheseCases, onOtherCases, positionAgreement } = outcome;
  const { versions } = assignment;
  const name = (who: Vote) => (who === "first" || who === "second" ? versions[who] : who);
  return {
    winner: name(outcome.winner),
    leaning: outcome.leaning === null ? null : name(outcome.leaning),
    versions: { ...versions },
    votes: { ...outcome.votes },
    on_these_cases: { pairs: onTheseCases.voices, ...testFile(onTheseCases, name) },
    on_other_cases: { cases: onOtherCases.voices, ...testFile(onOtherCases, name) },
    position_agreement: positionAgreement,
    pairs: outcome.pairs.map(
      ({ caseId, repetition, sides, winner, voice, identical, votes, judgements, addressed }) => ({
        case_id: caseId,
        repetition,
        sides: { A: name(sides.A), B: name(sides.B) },
        winner: name(winner),
        preference: voice,
        identical,
        votes: votes.map(name),
        unscored: judgements.flatMap(({ problem }) => problem ?? []),
        ...speaking(addressed, name),
      }),
    ),
  };
}

function pairOutcome(
  { caseId, repetition }: Pair,
  said: AskedOutcome | null,
  { sides, judges }: { sides: SidesOfPair; judges: number },
): PairOutcome {
  const votes: readonly Vote[] =
    said === null
      ? Array.from({ length: judges }, () => "TIE" as const)
      : said.judgements.map(({ verdict }) => voteOf(verdict, sides));
  return {
    caseId,
    repetition,
    sides,
    winner: majority(votes),
    voice: voiceOf(votes),
    identical: said === null,
    votes,
    judgements: said?.judgements ?? [],
    addressed: said?.addressed ?? { first: [], second: [] },
  };
}

/** Nothing where no output speaks to the judges. */
function speaking(addressed: SpeakingToJudges, name: (who: Contender) => string): JsonObject {
  const all = CONTENDERS.flatMap((who) =>
    addressed[who].map(({ place, text }) => ({ of: name(who), place, text })),
  );
  return all.length === 0 ? {} : { speaks_to_judge: all };
}

const CONTENDERS = ["first", "second"] as const satisfies readonly Contender[];

/** `preference` is from -1, always the first, to 1, always the second. */
function testFile(test: VoiceTest, name: (who: Contender) => string): JsonObject {
  return {
    left_out: test.voicesLeftOut,
    winner: test.winner === null ? null : name(test.winner),
    leaning: test.leaning === null ? null : name(test.leaning),
    preference: test.preference,
    p_value: test.pValue,
    smallest_p_value: test.smallestPValue,
    needed: test.voicesNeeded,
  };
}
