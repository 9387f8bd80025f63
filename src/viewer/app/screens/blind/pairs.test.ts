import { describe, expect, it } from "vitest";
import type { GridCase, GridRun } from "../../../../domain/pages.ts";
import { agreementOf, blindPairs } from "./pairs.ts";

describe("blind pairs", () => {
  const pairs = blindPairs({ cases: Array.from({ length: 40 }, (_, at) => gridCase(`case-${at}`)) });

  it("are the finished runs of both arms with the same number", () => {
    expect(pairs).toHaveLength(80);
    const sameRun = (trial: string) => trial.replace(/with(?:out)?_skill/, "");
    expect(pairs.filter(({ left, right }) => left === right || sameRun(left) !== sameRun(right))).toEqual([]);
  });

  it("have the skill on either side, the same each time", () => {
    const lefts = pairs.filter(({ testedLeft }) => testedLeft).length;
    expect(lefts).toBeGreaterThan(20);
    expect(lefts).toBeLessThan(60);
    expect(blindPairs({ cases: Array.from({ length: 40 }, (_, at) => gridCase(`case-${at}`)) })).toEqual(
      pairs,
    );
  });

  it("tell agreement with the judge and all checks as votes come in, and who won only at the end", () => {
    const skillWins = pairs.map((pair) => ({
      pair: pair.id,
      choice: pair.testedLeft ? ("left" as const) : ("right" as const),
    }));
    expect(agreementOf(pairs, skillWins.slice(0, 10))).toMatchObject({
      checks: { agreed: 10, compared: 10 },
      // The judge's check passes in both arms: it prefers neither.
      judge: { agreed: 0, compared: 0 },
      wins: null,
    });
    expect(agreementOf(pairs, skillWins)).toMatchObject({
      checks: { agreed: 80, compared: 80 },
      wins: 80,
      losses: 0,
      ties: 0,
    });
  });

  it("tell the judge from code", () => {
    const one = gridCase("one");
    const judged = blindPairs({ cases: [{ ...one, checks: one.checks.toReversed() }] });
    const votes = judged.map((pair, at) => ({
      pair: pair.id,
      choice: (at === 0) === pair.testedLeft ? ("left" as const) : ("right" as const),
    }));
    expect(agreementOf(judged, votes)).toEqual({
      checks: { agreed: 1, compared: 2 },
      judge: { agreed: 1, compared: 2 },
      wins: 1,
      losses: 1,
      ties: 0,
    });
  });
});

function gridCase(caseId: string): GridCase {
  const runs = (variant: string, verdicts: string): readonly GridRun[] =>
    [1, 2, 3].map((repetition) => ({
      trial: `${caseId}/${variant}/run-${repetition}`,
      repetition,
      status: repetition === 3 ? "rate-limit" : "completed",
      verdicts,
      seconds: null,
      tokens: null,
      costUsd: null,
      loaded: null,
      reused: false,
    }));
  const rate = { passed: 0, total: 0, rate: null, low: null, high: null };
  return {
    caseId,
    name: null,
    kind: "task",
    prompt: "",
    checks: [
      { id: "judged", text: "", layer: "L3", weak: [] },
      { id: "code", text: "", layer: "L1", weak: [] },
    ],
    comparison: null,
    interval: null,
    arms: [
      { variant: "with_skill", checks: rate, stability: null, runs: runs("with_skill", "pp") },
      { variant: "without_skill", checks: rate, stability: null, runs: runs("without_skill", "pf") },
    ],
  };
}
