import { describe, expect, it } from "vitest";
import { cohenKappa, krippendorffAlpha } from "./agreement.ts";
import { roundRobinTest, voicePerCase } from "./blind-votes.ts";
import { kappaByOutput } from "./cluster-bootstrap.ts";
import golden from "./fixtures/verdicts.json" with { type: "json" };
import { rateByCluster } from "./rate-by-cluster.ts";
import { signFlipTest } from "./sign-flip.ts";
import { fewestRuns } from "./these-cases.ts";

// The values are those of fixtures/verdicts.py, which writes everything out.
describe("a share whose observations hang together", () => {
  it.each(golden.clusters)("$rate over $clusters", ({ clusters, rate, low, high }) => {
    const found = rateByCluster(clusters.map(([passed = 0, total = 0]) => ({ passed, total })));
    expect(found.rate).toBeCloseTo(rate, 12);
    const rounded = (value: number | null) => (value === null ? null : Number(value.toFixed(9)));
    expect([found.low, found.high].map(rounded)).toEqual([low, high].map(rounded));
  });
});

describe("blind votes", () => {
  it.each(golden.voices)("one voice per case, preference $preference", ({ cases, preference, pValue }) => {
    const pairs = cases.flatMap((mine, at) => mine.map((votes) => ({ caseId: `${at}`, votes })));
    const found = voicePerCase(pairs);
    expect(found.preference).toBeCloseTo(preference, 12);
    expect(found.pValue).toBeCloseTo(pValue, 12);
  });

  it.each(golden.roundRobins)("every two outputs, lift $lift", ({ cases, lift, pValue }) => {
    const found = roundRobinTest(cases);
    expect(found?.lift).toBeCloseTo(lift, 12);
    expect(found?.pValue).toBeCloseTo(pValue, 12);
  });
});

describe("agreement", () => {
  it.each(golden.alphas)("Krippendorff's alpha $alpha, from coincidences", ({ units, alpha }) => {
    expect(krippendorffAlpha(units)).toBeCloseTo(alpha, 12);
  });

  it.each(golden.kappas)("kappa $kappa, its bounds those of every resample", (row) => {
    const outputs = row.outputs.map((mine) => mine.map(([a = "", b = ""]) => [a, b] as const));
    expect(cohenKappa(outputs.flat())).toBeCloseTo(row.kappa, 12);
    const { interval } = kappaByOutput(outputs, { draws: 20_000 });
    const [low = 0, high = 0] = [interval?.low, interval?.high];
    const [lowest = 0, upTo = 0] = row.low;
    const [from = 0, highest = 0] = row.high;
    expect([low >= lowest - 1e-9, low <= upTo + 1e-9]).toEqual([true, true]);
    expect([high >= from - 1e-9, high <= highest + 1e-9]).toEqual([true, true]);
  });
});

describe("sizes", () => {
  it.each(golden.manyCases)("$cases cases, by convolution: p = $pValue", ({ cases, ahead, pValue }) => {
    const differences = Array.from(
      { length: cases },
      (_, at) => ((at < (cases + ahead) / 2 ? 1 : -1) * (1 + (at % 3))) / 10,
    );
    expect(Math.abs((signFlipTest(differences) ?? 0) - pValue)).toBeLessThan(0.001 + 0.015 * pValue);
  });

  it.each(golden.fewestRuns)("$cases cases need $runs runs", ({ cases, runs }) => {
    expect(fewestRuns(cases)).toBe(runs);
  });
});
