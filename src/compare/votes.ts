import { mean } from "../stats/descriptive.ts";
import type { SidesOfPair } from "./assignment.ts";
import type { JudgeVerdict } from "./merge.ts";
import type { Contender } from "./pair.ts";

/** One judge on one pair. `split`: the two orders disagree. */
export type Vote = Contender | "TIE" | "split" | "unscored";

export type VoteCounts = Readonly<Record<Vote, number>>;

export function voteOf(verdict: JudgeVerdict | null, sides: SidesOfPair): Vote {
  if (verdict === null) return "unscored";
  if (verdict.winner !== "TIE") return sides[verdict.winner];
  return verdict.positionAgreement ? "TIE" : "split";
}

/** The version that more than half of the judges chose in both orders. */
export function majority(votes: readonly Vote[]): Contender | "TIE" {
  const { first, second } = countVotes(votes);
  if (2 * first > votes.length) return "first";
  return 2 * second > votes.length ? "second" : "TIE";
}

/** Judges who see the same pair share its luck, so together they are one voice: from -1, all for the first, to 1. Null: nobody could say. */
export function voiceOf(votes: readonly Vote[]): number | null {
  return mean(weightsOf(votes));
}

/** -1 for the first, 1 for the second, 0 for neither; what is unscored says nothing. */
export function weightsOf(votes: readonly Vote[]): readonly number[] {
  return votes.flatMap((vote) => (vote === "unscored" ? [] : WEIGHTS[vote]));
}

const WEIGHTS = { first: -1, second: 1, TIE: 0, split: 0 } as const;

export function countVotes(votes: readonly Vote[]): VoteCounts {
  const count = (kind: Vote) => votes.filter((vote) => vote === kind).length;
  return {
    first: count("first"),
    second: count("second"),
    TIE: count("TIE"),
    split: count("split"),
    unscored: count("unscored"),
  };
}
