import { describe, expect, it } from "vitest";
import { loadText } from "./fixtures/load-text.ts";
import { said, assertion, tier } from "./fixtures/rules.ts";

describe("shares and counts", () => {
  it.each<[unknown, readonly string[]]>([
    [
      { grade_thresholds: { min_pass_rate: 2 } },
      ["error: grade_thresholds.min_pass_rate must be between 0 and 1, not 2"],
    ],
    [
      { grade_thresholds: { min_mean_score: -0.1 } },
      ["error: grade_thresholds.min_mean_score must be between 0 and 1, not -0.1"],
    ],
    [
      { grade_thresholds: { min_pass_rate: "high" } },
      ['error: grade_thresholds.min_pass_rate must be a number, not the string "high"'],
    ],
    [
      { grade_thresholds: { min_pass_rate: true } },
      ["error: grade_thresholds.min_pass_rate must be a number, not true"],
    ],
    [{ grade_thresholds: { min_pass_rate: 0, min_mean_score: 1 } }, []],
    [
      { grade_thresholds: { pass_rate: 1 } },
      ['error: grade_thresholds has the unknown key "pass_rate" (did you mean "min_pass_rate"?)'],
    ],
    [{ grade_thresholds: [] }, ["error: grade_thresholds must be an object, not a list"]],
    [{ variance: { n_runs: 0 } }, ["error: variance.n_runs must be at least 1, not 0"]],
    [{ variance: { n_runs: 2.5 } }, ["error: variance.n_runs must be an integer, not the number 2.5"]],
    [
      { variance: { min_stability: 1.1 } },
      ["error: variance.min_stability must be between 0 and 1, not 1.1"],
    ],
    [{ variance: 5 }, ["error: variance must be an object, not the number 5"]],
    [tier({ min_entries: -1 }), ["error: sections[0].tiers[0].min_entries must be at least 0, not -1"]],
    [
      tier({ min_entries: "2" }),
      [
        'error: sections[0].tiers[0].min_entries must be an integer, not the string "2" (write 2 without quotes)',
      ],
    ],
    [
      tier({ min_entries: 3, max_entries: 2 }),
      ["error: sections[0].tiers[0] allows at most 2 entries but requires at least 3"],
    ],
    [tier({ min_entries: 2, max_entries: 2 }), []],
    [
      assertion({ type: "min_length", length: -1 }),
      ["error: assertions[0].length must be at least 0, not -1"],
    ],
    [assertion({ type: "has_urls", count: -1 }), ["error: assertions[0].count must be at least 0, not -1"]],
    [
      assertion({ type: "has_urls", count: null }),
      ["error: assertions[0].count must be an integer, not null"],
    ],
    [
      assertion({ type: "has_urls", count: true }),
      ["error: assertions[0].count must be an integer, not true"],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });

  it("tells 2.0 and 2e0 from 2", async () => {
    const text =
      '{"assertions":[{"id":"a","type":"has_urls","count":2.0},{"id":"b","type":"has_urls","count":2e0}]}';
    const { lines } = await loadText(text);
    expect(lines).toEqual([
      "1:52 error clauditor/wrong-type: assertions[0].count must be an integer, not the float 2.0",
      "1:93 error clauditor/wrong-type: assertions[1].count must be an integer, not the float 2.0",
    ]);
  });
});
