import { describe, expect, it } from "vitest";
import { type RoundRobin, roundRobinTest, voicePerCase, voicePerPair } from "./blind-votes.ts";

const votes = (caseId: string, ...said: number[]) => ({ caseId, votes: said });

describe("blind votes", () => {
  it("three judges of one pair are one voice, so one case has no winner", () => {
    const found = voicePerCase([votes("a", 1, 1, 1)]);
    expect(found).toMatchObject({ voices: 1, winner: null, leaning: "second", voicesNeeded: 6 });
  });

  it("pairs of one case are one voice for other cases, and several for this one", () => {
    const pairs = Array.from({ length: 6 }, () => votes("a", 1, 1, 0));
    expect(voicePerCase(pairs)).toMatchObject({ voices: 1, winner: null });
    expect(voicePerPair(pairs)).toMatchObject({ voices: 6, winner: "second", leaning: null });
  });

  it("six cases for one side have a winner; a pair that nobody judged is left out", () => {
    const pairs = ["a", "b", "c", "d", "e", "f"].map((id) => votes(id, -1, -1, -1));
    expect(voicePerCase([...pairs, votes("g")])).toMatchObject({ winner: "first", voicesLeftOut: 1 });
  });

  it("a round robin sees in two cases of three outputs what pairs cannot", () => {
    const clear: RoundRobin = {
      first: ["a1", "a2", "a3"],
      second: ["b1", "b2", "b3"],
      judgements: everyTwo(["a1", "a2", "a3", "b1", "b2", "b3"]),
    };
    const test = roundRobinTest([clear, clear]);
    expect(test?.lift).toBeGreaterThan(0);
    expect(test?.pValue).toBe(2 / 400);
    expect(roundRobinTest([{ ...clear, judgements: [] }])).toBeNull();
  });
});

/** The later of two is always preferred. */
function everyTwo(outputs: readonly string[]) {
  return outputs.flatMap((left, at) => outputs.slice(at + 1).map((right) => ({ left, right, vote: 1 })));
}
