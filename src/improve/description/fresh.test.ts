import { describe, expect, it } from "vitest";
import type { QuerySummary } from "../../domain/triggers.ts";
import { rateOf } from "../../stats/rate.ts";
import { isWorse, passRate } from "./fresh.ts";

describe("the fresh test", () => {
  it("is worse only when fewer queries pass than with the original", () => {
    const original = queries("passed", "failed");
    const worse = { original, best: queries("failed", "failed"), comparison: null };
    expect(isWorse(worse)).toBe(true);
    expect(isWorse({ ...worse, best: original })).toBe(false);
    expect(isWorse({ ...worse, best: queries("passed", "passed") })).toBe(false);
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
    status,
    reason: "",
  }));
}
