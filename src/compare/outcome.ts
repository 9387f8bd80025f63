import type { JsonObject } from "../domain/json.ts";
import type { Usage } from "../domain/run.ts";
import { sumUsage } from "../domain/usage.ts";
import type { Assignment } from "./assignment.ts";
import type { Judgement } from "./judge-pair.ts";
import type { Contender, Pair, Winner } from "./pair.ts";
import { majority, type Tally, tally, type Vote, voteOf } from "./tally.ts";

/** What a blind comparison came to, with A and B resolved. */
export interface BlindOutcome {
  readonly winner: Contender | "TIE";
  /** Who has more votes, where that is no win. */
  readonly leaning: Contender | null;
  readonly assignment: Assignment;
  readonly tally: Tally;
  readonly pairs: readonly PairOutcome[];
  /** The share of judgements whose two orders name the same winner; null when there is none. */
  readonly positionAgreement: number | null;
  readonly usage: Usage;
}

export interface PairOutcome {
  readonly caseId: string;
  readonly repetition: number;
  readonly winner: Contender | "TIE";
  /** There was nothing to ask about: both outputs are the same. */
  readonly identical: boolean;
  readonly votes: readonly Vote[];
  readonly judgements: readonly Judgement[];
}

/** `judgements` by pair, in the order of the judges; null where the outputs are identical. */
export function blindOutcome(
  pairs: readonly Pair[],
  judgements: readonly (readonly Judgement[] | null)[],
  assignment: Assignment,
): BlindOutcome {
  const outcomes = pairs.map((pair, index): PairOutcome => {
    const said = judgements[index] ?? null;
    const votes =
      said === null
        ? Array.from({ length: assignment.judges }, () => "TIE" as const)
        : said.map(({ verdict }) => voteOf(verdict));
    return {
      caseId: pair.caseId,
      repetition: pair.repetition,
      winner: contender(majority(votes), assignment),
      identical: said === null,
      votes,
      judgements: said ?? [],
    };
  });
  const all = outcomes.flatMap((outcome) => outcome.judgements);
  const verdicts = all.flatMap(({ verdict }) => verdict ?? []);
  const counted = tally(outcomes);
  return {
    winner: contender(counted.winner, assignment),
    leaning: counted.leaning === null ? null : assignment[counted.leaning],
    assignment,
    tally: counted,
    pairs: outcomes,
    positionAgreement:
      verdicts.length === 0
        ? null
        : verdicts.filter(({ positionAgreement }) => positionAgreement).length / verdicts.length,
    usage: sumUsage(all.map(({ usage }) => usage)),
  };
}

/** outcome.json: the versions by name, because its reader may know them. */
export function outcomeFile(outcome: BlindOutcome): JsonObject {
  const { assignment, tally: counted, positionAgreement } = outcome;
  const name = (who: Contender | "TIE") => (who === "TIE" ? "TIE" : assignment.versions[who]);
  return {
    winner: name(outcome.winner),
    leaning: outcome.leaning === null ? null : name(outcome.leaning),
    versions: { ...assignment.versions },
    sides: { A: name(assignment.A), B: name(assignment.B) },
    votes: { ...counted.votes },
    chance: counted.chance,
    cases: { ...counted.cases },
    sign_test: counted.signTest,
    position_agreement: positionAgreement,
    pairs: outcome.pairs.map(({ caseId, repetition, winner, identical, votes, judgements }) => ({
      case_id: caseId,
      repetition,
      winner: name(winner),
      identical,
      votes,
      unscored: judgements.flatMap(({ problem }) => problem ?? []),
    })),
  };
}

function contender(winner: Winner, assignment: Assignment): Contender | "TIE" {
  return winner === "TIE" ? "TIE" : assignment[winner];
}
