import { describe, expect, it } from "vitest";
import type { QuerySummary } from "../../domain/triggers.ts";
import { rateOf } from "../../stats/rate.ts";
import { compareOnTheseCases } from "../../stats/these-cases.ts";
import { comparisonText, passRate } from "./fresh.ts";

describe("the fresh test", () => {
  it("says what its runs show, and what would show more while that is open", () => {
    const runs = (right: number) => Array.from({ length: 3 }, (_, run) => Number(run < right));
    const text = (...after: readonly number[]) =>
      comparisonText(
        compareOnTheseCases(after.map((right) => ({ treatment: runs(right), baseline: runs(1) }))),
      );
    expect(text(3, 3, 3, 3, 3)).toBe(
      "on these 5 queries 33 % -> 100 % of runs were right (+67 points, 95 % interval +34 to +98, p < 0.001)",
    );
    expect(text(3)).toMatch(
      /^on this 1 query 33 % -> 100 % .*; --runs \d+, or more queries, would tell more$/,
    );
  });

  it("leaves out of the rate what could not be scored", () => {
    expect(passRate(queries("passed", "unscored", "failed"))).toMatchObject({ passed: 1, total: 2 });
  });
});

function queries(...statuses: readonly QuerySummary["status"][]): readonly QuerySummary[] {
  return statuses.map((status, index) => ({
    caseId: String(index),
    query: "",
    shouldTrigger: true,
    rival: null,
    fired: rateOf(0, 1),
    leftOut: {},
    others: {},
    repeated: { fired: 0, runs: 1 },
    status,
    leaning: status === "passed" || status === "failed" ? status : null,
    moreRuns: null,
    reason: "",
  }));
}
