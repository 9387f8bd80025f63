import { describe, expect, it } from "vitest";
import { comparisonReplyOf } from "../../test/support/comparing.ts";
import { readReply } from "../grade/asking/read-reply.ts";
import { randomInteger, seededRandom } from "../stats/random.ts";
import { mergeOrders, readOrder } from "./merge.ts";
import { type ComparisonReply, comparisonReply } from "./reply.ts";
import { majority, tally, type Vote, voteOf } from "./tally.ts";

const NO_RATES = { A: null, B: null };

it.each([
  [["A", "A", "A"], "A"],
  [["A", "A", "B"], "A"],
  [["A", "A", "split"], "A"],
  [["A", "split", "split"], "TIE"],
  [["A", "TIE", "TIE"], "TIE"],
  [["A", "B", "TIE"], "TIE"],
  [["B", "unscored", "unscored"], "TIE"],
  [["B", "B", "unscored"], "B"],
  [[], "TIE"],
] as const)("of the judges %j the majority is %s", (votes, winner) => {
  expect(majority(votes)).toBe(winner);
});

const pairs = (...votes: readonly (readonly Vote[])[]) =>
  votes.map((each, index) => ({ caseId: String(index), votes: each }));

describe("all votes together", () => {
  it.each([
    ["three of three", [["A", "A", "A"]], "A", null],
    ["two of three, which coins give too often", [["A", "A", "split"]], "TIE", "A"],
    ["one judge alone", [["B"]], "TIE", "B"],
    [
      "five of six",
      [
        ["B", "B", "B"],
        ["B", "B", "split"],
      ],
      "B",
      null,
    ],
    [
      "as many for either",
      [
        ["A", "A", "A"],
        ["B", "B", "B"],
      ],
      "TIE",
      null,
    ],
    [
      "ties aside",
      [
        ["TIE", "TIE", "TIE"],
        ["B", "B", "B"],
      ],
      "B",
      null,
    ],
    [
      "no majority of those who decide",
      [
        ["B", "B", "B"],
        ["A", "A", "split"],
        ["split", "split", "B"],
      ],
      "TIE",
      "B",
    ],
    [
      "unscored judgements count against a win",
      [
        ["B", "B", "B"],
        ["unscored", "unscored", "unscored"],
      ],
      "TIE",
      "B",
    ],
    ["nothing", [], "TIE", null],
  ] as const)("%s", (_, votes, winner, leaning) => {
    expect(tally(pairs(...votes))).toMatchObject({ winner, leaning });
  });

  it("take the repetitions of a case as one voice", () => {
    const counted = tally([
      { caseId: "1", votes: ["A", "A", "A"] },
      { caseId: "1", votes: ["B", "B", "B"] },
      { caseId: "1", votes: ["A", "A", "A"] },
      { caseId: "2", votes: ["A", "A", "A"] },
      { caseId: "3", votes: ["TIE", "TIE", "TIE"] },
    ]);
    expect(counted.cases).toEqual({ A: 2, B: 0, TIE: 1 });
    expect(counted.signTest).toBe(0.5);
  });

  it("tell how likely coins would give as many", () => {
    expect(tally(pairs(["A", "A", "A"])).chance).toBeCloseTo(1 / 64, 12);
    expect(tally(pairs(["A", "A", "split"])).chance).toBeCloseTo(10 / 64, 12);
    expect(tally(pairs(["split", "split"])).chance).toBeNull();
  });
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
        [2, 3],
        [3, 3],
        [5, 3],
        [12, 3],
        [3, 1],
        [2, 5],
      ].map(([cases, judges]) => [name, cases ?? 0, judges ?? 0] as const),
    ),
  )("hardly ever have a winner when the judge %s, over %i cases with %i judges", (name, cases, judges) => {
    const random = seededRandom(100 * cases + judges);
    const points = JUDGES[name] ?? (() => [3, 3]);
    let wins = 0;
    for (let round = 0; round < rounds; round++) {
      const votes = Array.from({ length: cases }, () =>
        Array.from({ length: judges }, () => {
          const ab = readOrder(replyOf(...points(random)), "A", NO_RATES);
          const ba = readOrder(replyOf(...points(random)), "B", NO_RATES);
          return voteOf(mergeOrders(ab, ba, NO_RATES));
        }),
      );
      if (tally(pairs(...votes)).winner !== "TIE") wins++;
    }
    expect(wins / rounds).toBeLessThanOrEqual(0.05);
  });

  it("are told from better ones: a judge that is right nine times in ten finds the winner of five cases", () => {
    const random = seededRandom(5);
    let found = 0;
    for (let round = 0; round < 200; round++) {
      const votes = Array.from({ length: 5 }, () =>
        Array.from({ length: 3 }, () => {
          const right = () => random() < 0.9;
          const ab = readOrder(right() ? replyOf(3, 4) : replyOf(4, 3), "A", NO_RATES);
          const ba = readOrder(right() ? replyOf(4, 3) : replyOf(3, 4), "B", NO_RATES);
          return voteOf(mergeOrders(ab, ba, NO_RATES));
        }),
      );
      if (tally(pairs(...votes)).winner === "B") found++;
    }
    expect(found).toBeGreaterThan(190);
  });
});

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
