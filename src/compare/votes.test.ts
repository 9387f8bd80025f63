import { describe, expect, it } from "vitest";
import { comparisonReplyOf } from "../../test/support/comparing.ts";
import { readReply } from "../grade/asking/read-reply.ts";
import { voicePerPair } from "../stats/blind-votes.ts";
import { randomInteger, seededRandom } from "../stats/random.ts";
import { mergeOrders, readOrder } from "./merge.ts";
import { type ComparisonReply, comparisonReply } from "./reply.ts";
import { majority, voiceOf, voteOf, weightsOf } from "./votes.ts";

const NO_RATES = { A: null, B: null };
const SIDES = { A: "first", B: "second" } as const;

it.each([
  [["first", "first", "first"], "first", -1],
  [["first", "first", "second"], "first", -1 / 3],
  [["first", "first", "split"], "first", -2 / 3],
  [["first", "split", "split"], "TIE", -1 / 3],
  [["first", "TIE", "TIE"], "TIE", -1 / 3],
  [["first", "second", "TIE"], "TIE", 0],
  [["second", "unscored", "unscored"], "TIE", 1],
  [["second", "second", "unscored"], "second", 1],
  [["unscored"], "TIE", null],
  [[], "TIE", null],
] as const)("of the judges %j the majority is %s, and their one voice %s", (votes, winner, voice) => {
  expect(majority(votes)).toBe(winner);
  expect(voiceOf(votes)).toBe(voice);
});

it("a vote is for a version, whichever side it was on", () => {
  const said = judged([4, 3], [3, 4]);
  expect(said.winner).toBe("A");
  expect(voteOf(said, SIDES)).toBe("first");
  expect(voteOf(said, { A: "second", B: "first" })).toBe("second");
  expect(voteOf(judged([4, 3], [4, 3]), SIDES)).toBe("split");
  expect(voteOf(judged([4, 4], [4, 4]), SIDES)).toBe("TIE");
});

/** What judges might make of two outputs of equal worth: points of the one shown first, and of the other. */
const JUDGES: Readonly<Record<string, (random: () => number) => readonly [number, number]>> = {
  "tosses a coin": (random) => (random() < 0.5 ? [4, 3] : [3, 4]),
  "gives points at random": (random) => [1 + randomInteger(random, 5), 1 + randomInteger(random, 5)],
  "leans to the first": (random) => (random() < 0.7 ? [4, 3] : [3, 4]),
  "always prefers the first": () => [5, 2],
  "often sees no difference": (random) => (random() < 0.5 ? [4, 4] : random() < 0.5 ? [4, 3] : [3, 4]),
};

describe("two versions that are the same", () => {
  const rounds = 1000;

  it.each(
    Object.keys(JUDGES).flatMap((name) =>
      [
        [1, 3],
        [3, 3],
        [6, 3],
        [12, 3],
        [9, 1],
      ].map(([pairs, judges]) => [name, pairs ?? 0, judges ?? 0] as const),
    ),
  )("hardly ever have a winner when the judge %s, over %i pairs with %i judges", (name, pairs, judges) => {
    const random = seededRandom(100 * pairs + judges);
    const points = JUDGES[name] ?? (() => [3, 3]);
    let wins = 0;
    for (let round = 0; round < rounds; round++) {
      const voices = Array.from({ length: pairs }, (_, pair) => ({
        caseId: String(pair),
        votes: weightsOf(
          Array.from({ length: judges }, () => voteOf(judged(points(random), points(random)), SIDES)),
        ),
      }));
      if (voicePerPair(voices).winner !== null) wins++;
    }
    expect(wins / rounds).toBeLessThanOrEqual(0.05);
  });
});

/** A judge that gave these points to what it saw first and second, once with A first and once with B first. */
function judged(ab: readonly [number, number], ba: readonly [number, number]) {
  return mergeOrders(
    readOrder(replyOf(...ab), "A", NO_RATES),
    readOrder(replyOf(...ba), "B", NO_RATES),
    NO_RATES,
  );
}

const known = new Map<string, ComparisonReply>();

function replyOf(one: number, two: number): ComparisonReply {
  const key = `${one} ${two}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const read = readReply(JSON.stringify(comparisonReplyOf(one, two)), comparisonReply);
  if (!read.ok) throw new Error(read.problem);
  known.set(key, read.value);
  return read.value;
}
