import type { CaseRuns } from "./case-runs.ts";
import { mean, sum } from "./descriptive.ts";
import { fewestCases, signFlipTest, smallestPValue } from "./sign-flip.ts";
import { type WithinCaseTest, withinCaseTest } from "./within-case.ts";

/** What the judges of one pair of outputs said: each -1 for the first, 1 for the second, 0 for a tie or a split. */
export interface PairVotes {
  readonly caseId: string;
  readonly votes: readonly number[];
}

/** Which side judges prefer. */
export interface VoiceTest {
  /** What counts as one voice: a case, or a pair of outputs. */
  readonly voices: number;
  readonly voicesLeftOut: number;
  /** From -1, always the first, to 1, always the second. */
  readonly preference: number | null;
  readonly pValue: number | null;
  readonly smallestPValue: number | null;
  readonly winner: "first" | "second" | null;
  /** Without a winner, the side that is ahead. */
  readonly leaning: "first" | "second" | null;
  /** Voices, all for one side, that it takes for a winner. */
  readonly voicesNeeded: number;
}

/** One voice per case: judges who see the same pair, and pairs of one case, are not independent. For other cases like these. */
export function voicePerCase(pairs: readonly PairVotes[], alpha: number = 0.05, seed: number = 1): VoiceTest {
  const cases = [...new Set(pairs.map((pair) => pair.caseId))];
  const voices = cases.map((caseId) =>
    mean(pairs.filter((pair) => pair.caseId === caseId).flatMap((pair) => mean(pair.votes) ?? [])),
  );
  return testVoices(voices, alpha, seed);
}

/**
 * One voice per pair, where every output is in one pair only: if the sides were alike on a case, each of its pairs could
 * as well have been the other way around. For these very cases.
 */
export function voicePerPair(pairs: readonly PairVotes[], alpha: number = 0.05, seed: number = 1): VoiceTest {
  return testVoices(
    pairs.map((pair) => mean(pair.votes)),
    alpha,
    seed,
  );
}

/** A judgement of two outputs of one case, whichever sides they are from: -1 prefers `left`, 1 prefers `right`. */
interface Judgement {
  readonly left: string;
  readonly right: string;
  readonly vote: number;
}

/** All outputs of one case, and judgements of every two of them. */
export interface RoundRobin {
  readonly first: readonly string[];
  readonly second: readonly string[];
  readonly judgements: readonly Judgement[];
}

/**
 * Several outputs per side, each judged against every other of its case: an output's strength is its mean vote, and the
 * sides' labels are dealt anew within cases. Sees more than pairs do with as many outputs. Positive when the second side
 * is ahead. Null when no case has judged outputs of both sides.
 */
export function roundRobinTest(cases: readonly RoundRobin[], seed: number = 1): WithinCaseTest | null {
  return withinCaseTest(cases.map(strengths), seed);
}

function strengths({ first, second, judgements }: RoundRobin): CaseRuns {
  const strengthOf = (output: string): number[] => {
    const votes = judgements.flatMap(({ left, right, vote }) =>
      left === output ? [-vote] : right === output ? [vote] : [],
    );
    return votes.length === 0 ? [] : [sum(votes) / votes.length];
  };
  return { treatment: second.flatMap(strengthOf), baseline: first.flatMap(strengthOf) };
}

function testVoices(voices: readonly (number | null)[], alpha: number, seed: number): VoiceTest {
  const heard = voices.filter((voice) => voice !== null);
  const pValue = signFlipTest(heard, seed);
  const preference = mean(heard);
  const ahead = preference === null || preference === 0 ? null : preference < 0 ? "first" : "second";
  const wins = pValue !== null && pValue <= alpha;
  return {
    voices: heard.length,
    voicesLeftOut: voices.length - heard.length,
    preference,
    pValue,
    smallestPValue: smallestPValue(heard.length),
    winner: wins ? ahead : null,
    leaning: wins ? null : ahead,
    voicesNeeded: fewestCases(alpha),
  };
}
