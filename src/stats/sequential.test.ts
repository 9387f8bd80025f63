import { describe, expect, it } from "vitest";
import type { CasePair } from "./case-pairs.ts";
import { compareSequentially } from "./sequential.ts";

function look(...differences: readonly number[]): CasePair[] {
  return differences.map((difference) => ({
    treatment: 0.5 + difference / 2,
    baseline: 0.5 - difference / 2,
    runs: 1,
    noise: null,
  }));
}

const unanimous = (cases: number) => look(...Array.from({ length: cases }, () => 0.5));
const undecided = (cases: number) =>
  look(...Array.from({ length: cases }, (_, at) => (at % 2 === 0 ? 0.5 : -0.5)));

describe("compareSequentially", () => {
  it("has nothing to say before the first look", () => {
    expect(compareSequentially([], { maxLooks: 3 })).toBeNull();
  });

  it("decides early only by a clear outcome", () => {
    // 2 / 2^9 is below a ninth of 5 %, 2 / 2^8 is not.
    expect(compareSequentially([unanimous(9)], { maxLooks: 3 })).toMatchObject({
      decidedAt: 1,
      finished: true,
    });
    expect(compareSequentially([unanimous(8)], { maxLooks: 3 })).toMatchObject({
      decidedAt: null,
      finished: false,
    });
  });

  it("lets six unanimous cases win at the last look, because earlier looks could not have spent anything", () => {
    const looks = [unanimous(6), unanimous(6), unanimous(6)];
    const end = compareSequentially(looks, { maxLooks: 3 });
    expect(end).toMatchObject({ decidedAt: 3, finished: true, comparison: { verdict: "better" } });
    expect(end?.looks.at(-1)?.threshold).toBeCloseTo(0.05, 12);
  });

  it("never spends more than alpha over all looks", () => {
    const looks = Array.from({ length: 5 }, () => undecided(20));
    const end = compareSequentially(looks, { maxLooks: 5 });
    expect(end).toMatchObject({ decidedAt: null, finished: true });
    const spent = (end?.looks ?? []).reduce((sum, { threshold }) => sum + threshold, 0);
    expect(spent).toBeLessThanOrEqual(0.05 + 1e-4);
  });

  it("shows the interval at the deciding look's own level", () => {
    const early = compareSequentially([unanimous(10)], { maxLooks: 3 });
    const plain = compareSequentially([unanimous(10)], { maxLooks: 1 });
    expect(early?.comparison.alpha).toBeCloseTo(0.05 / 9, 12);
    expect(early?.comparison.interval?.low).toBeLessThan(plain?.comparison.interval?.low ?? 0);
  });

  it("does not stop for a lift too small to matter", () => {
    const tiny = look(...Array.from({ length: 12 }, () => 0.02));
    expect(compareSequentially([tiny], { maxLooks: 2, minEffect: 0.1 })?.decidedAt).toBeNull();
  });

  it("refuses looks that were not planned", () => {
    expect(() => compareSequentially([unanimous(6), unanimous(6)], { maxLooks: 1 })).toThrow(RangeError);
  });
});
