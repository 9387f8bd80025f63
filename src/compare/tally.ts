import { betaCdf } from "../stats/distributions.ts";
import { signTest } from "../stats/exact-tests.ts";
import type { JudgeVerdict } from "./merge.ts";
import type { Side, Winner } from "./pair.ts";

/** One judge on one pair. `split`: the two orders disagree. */
export type Vote = Winner | "split" | "unscored";

interface VoteCounts {
  readonly A: number;
  readonly B: number;
  readonly TIE: number;
  readonly split: number;
  readonly unscored: number;
}

/** What all votes together come to. */
export interface Tally {
  readonly winner: Winner;
  /** The side with more votes where that is no win; null where there is none. */
  readonly leaning: Side | null;
  readonly votes: VoteCounts;
  /** How likely the leading side's votes would be if every judgement were a coin toss; null with nobody leading. */
  readonly chance: number | null;
  /** Cases won by each side, and the exact sign test over them; null when no case was won. */
  readonly cases: { readonly A: number; readonly B: number; readonly TIE: number };
  readonly signTest: number | null;
}

export function voteOf(verdict: JudgeVerdict | null): Vote {
  if (verdict === null) return "unscored";
  return verdict.winner === "TIE" && !verdict.positionAgreement ? "split" : verdict.winner;
}

/** The side that more than half of the judges chose in both orders. */
export function majority(votes: readonly Vote[]): Winner {
  const { A, B } = countVotes(votes);
  if (2 * A > votes.length) return "A";
  return 2 * B > votes.length ? "B" : "TIE";
}

/**
 * Over all pairs, a side wins with more than half of the votes that are no ties, if tossing coins would rarely give it as
 * many: a judge that tosses one for each order names a given side consistently one time in four.
 */
export function tally(
  byPair: readonly { readonly caseId: string; readonly votes: readonly Vote[] }[],
): Tally {
  const votes = countVotes(byPair.flatMap((pair) => pair.votes));
  const leading = leader(votes);
  const open = votes.A + votes.B + votes.split + votes.unscored;
  const chance = leading === null ? null : atLeast(votes[leading], open, 1 / 4);
  const wins = leading !== null && chance !== null && 2 * votes[leading] > open && chance <= RARELY;
  const cases = caseWinners(byPair);
  const count = (winner: Winner) => cases.filter((one) => one === winner).length;
  return {
    winner: wins ? leading : "TIE",
    leaning: wins ? null : leading,
    votes,
    chance,
    cases: { A: count("A"), B: count("B"), TIE: count("TIE") },
    signTest: signTest(cases.map((one) => ({ A: -1, B: 1, TIE: 0 })[one])),
  };
}

/** For each side, so that two equal versions have a winner at most one time in twenty. */
const RARELY = 0.025;

function leader({ A, B }: VoteCounts): Side | null {
  if (A === B) return null;
  return A > B ? "A" : "B";
}

/** P(X >= count) of that many tries. */
function atLeast(count: number, tries: number, probability: number): number {
  return count === 0 ? 1 : betaCdf(probability, count, tries - count + 1);
}

/** Repetitions of a case are one voice: the case is the unit. */
function caseWinners(
  byPair: readonly { readonly caseId: string; readonly votes: readonly Vote[] }[],
): readonly Winner[] {
  const cases = [...new Set(byPair.map(({ caseId }) => caseId))];
  return cases.map((caseId) => {
    const winners = byPair.filter((pair) => pair.caseId === caseId).map((pair) => majority(pair.votes));
    return leader(countVotes(winners)) ?? "TIE";
  });
}

function countVotes(votes: readonly Vote[]): VoteCounts {
  const count = (kind: Vote) => votes.filter((vote) => vote === kind).length;
  return {
    A: count("A"),
    B: count("B"),
    TIE: count("TIE"),
    split: count("split"),
    unscored: count("unscored"),
  };
}
