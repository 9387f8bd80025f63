import { describe, expect, it } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { COMPARES, FAIR, twoIterations } from "./warm-judge.ts";
import { comparingProject, WARM } from "./comparing-project.ts";

/** Prefers the output that does not say sorry; no check minds. */
const AGAINST_SORRY: readonly Json[] = [
  {
    when: { ...COMPARES, anywhere: { regex: "output 1\\]\\][^]*sorry[^]*output 2\\]\\]" } },
    reply: { json: comparisonReplyOf(3, 5) },
  },
  { when: COMPARES, reply: { json: comparisonReplyOf(5, 3) } },
];
const SORRY = { ...WARM, skill: "Say sorry.", Ada: "Hello dear Ada, sorry", Bob: "Hello dear Bob, sorry" };

describe("judges who prefer one version on every pair", () => {
  it("name a winner once there are six pairs, for which all repetitions are compared", async () => {
    await using project = await twoIterations(FAIR, "--runs", "3");
    const { out, err, exitCode } = await project.assay("compare", "1", "2", "--judges", "1");
    expect(err).toContain("comparing 6 pairs: at most 12 questions to the judge");
    expect(out).toContain("blind: iteration-2 wins on these 2 cases (6 of 6 pairs of outputs, p = 0.031)");
    expect(out).toContain("on other cases: 6 cases are needed to say anything");
    expect(exitCode).toBe(0);
  });

  it("fail the second version only where its loss is beyond chance, however many they are", async () => {
    await using project = await comparingProject(AGAINST_SORRY);
    await project.run(WARM, "--runs", "3");
    await project.run(SORRY, "--runs", "3");
    const few = await project.assay("compare", "1", "2", "--pairs", "2", "--judges", "5");
    expect(few.out).toContain("checks: 0 regressed");
    expect(few.out).toContain(
      "blind: leans to iteration-1, not confirmed (4 of 4 pairs of outputs, p = 0.125); 6 pairs are needed to say more",
    );
    expect(few.exitCode).toBe(0);
    const all = await project.assay("compare", "1", "2", "--judges", "1");
    expect(all.out).toContain("blind: iteration-1 wins on these 2 cases");
    expect(all.exitCode).toBe(1);
  });
});
