import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alphaByOutput, kappaByOutput } from "./cluster-bootstrap.ts";
import { pairCases } from "./case-pairs.ts";
import { type CaseRuns, caseRunsOf } from "./case-runs.ts";
import { checkChanges } from "./check-changes.ts";
import { confirmChanges, type Unit } from "./confirm.ts";
import { isTooSmallToMatter } from "./equivalence.ts";
import { lookRepeatedly, USUAL_LOOKS } from "./looks.ts";
import { casesForShare, compareOnOtherCases, shareAtLeast } from "./other-cases.ts";
import { fewestToSettle, runsToSettle, settleQuery } from "./settle.ts";
import { compareOnTheseCases, fewestRuns } from "./these-cases.ts";
import { points, pText } from "./words.ts";

const better: CaseRuns = { treatment: [1, 1, 1], baseline: [0, 0, 1] };
const repeat = (times: number, one: CaseRuns): CaseRuns[] => Array.from({ length: times }, () => one);

describe("on these cases", () => {
  it("three cases of three runs are enough for a clear finding", () => {
    const found = compareOnTheseCases(repeat(3, better));
    expect(found.verdict).toBe("better");
    expect(found.rates?.treatment).toBe(1);
    expect(found.rates?.baseline).toBeCloseTo(1 / 3);
    expect(found.interval?.low).toBeGreaterThan(0);
    expect(found.runsNeeded).toBeNull();
  });

  it("one run per arm of a few cases cannot decide, and it says how many would", () => {
    const found = compareOnTheseCases(repeat(3, { treatment: [1], baseline: [0] }));
    expect(found.verdict).toBe("undecided");
    expect(found.smallestPValue).toBe(0.25);
    expect(found.runsNeeded).toBe(fewestRuns(3));
    expect(fewestRuns(3)).toBe(2);
    expect(fewestRuns(1)).toBe(4);
  });

  const score = fc.integer({ min: 0, max: 4 }).map((passed) => passed / 4);
  const runs = fc.array(score, { minLength: 1, maxLength: 5 });
  const cases = fc.array(fc.record({ treatment: runs, baseline: runs }), { minLength: 1, maxLength: 5 });

  it("zero is inside the interval exactly when p is above alpha, the lift always", () => {
    const inStep = fc.property(cases, (drawn) => {
      const { interval, pValue, lift } = compareOnTheseCases(drawn);
      if (interval === null || pValue === null || lift === null) return false;
      const hasZero = interval.low <= 0 && interval.high >= 0;
      return hasZero === pValue > 0.05 && interval.low <= lift + 1e-12 && lift <= interval.high + 1e-12;
    });
    expect(fc.check(inStep, { numRuns: 500 })).toMatchObject({ failed: false, counterexample: null });
  });

  it("is printed with zero inside exactly when p is printed above alpha", () => {
    const printed = fc.property(cases, (drawn) => {
      const { interval, pValue } = compareOnTheseCases(drawn);
      const [low, high] = [Number(points(interval?.low ?? 0)), Number(points(interval?.high ?? 0))];
      const p = pText(pValue ?? 1);
      return (low <= 0 && high >= 0) === (p !== "< 0.001" && Number(p.slice(2)) > 0.05);
    });
    expect(fc.check(printed, { numRuns: 500 })).toMatchObject({ failed: false, counterexample: null });
  });

  it("more confidence is never a narrower interval", () => {
    const nested = fc.property(cases, (drawn) => {
      const intervals = [0.2, 0.1, 0.05, 0.02, 0.005].map(
        (alpha) => compareOnTheseCases(drawn, { alpha }).interval ?? { low: 0, high: 0 },
      );
      return intervals.every(
        ({ low, high }, at) =>
          low <= (intervals[at - 1]?.low ?? low) + 1e-12 && high >= (intervals[at - 1]?.high ?? high) - 1e-12,
      );
    });
    expect(fc.check(nested, { numRuns: 300 })).toMatchObject({ failed: false, counterexample: null });
  });

  it("says that nothing matters only when the whole interval is too small", () => {
    const same = repeat(12, { treatment: Array(8).fill(1), baseline: Array(8).fill(1) });
    expect(compareOnTheseCases(same, { minEffect: 0.15 }).verdict).toBe("no difference that matters");
    expect(compareOnTheseCases(same).verdict).toBe("no difference that matters");
    expect(compareOnTheseCases(same.slice(0, 1)).verdict).toBe("undecided");
    expect(compareOnTheseCases(same.slice(0, 2), { minEffect: 0.05 }).verdict).toBe("undecided");
    expect(isTooSmallToMatter({ low: -0.1, high: 0.2 }, 0.2)).toBe(false);
  });

  it("plans with what the next result must reach, unless this one could decide nothing and so used nothing", () => {
    const needed = (runs: number, options: { nextAlpha?: number } = {}) => {
      const arms = { treatment: Array<number>(runs).fill(0.6), baseline: Array<number>(runs).fill(0.4) };
      return compareOnTheseCases([arms, { ...arms, treatment: arms.baseline }], options).runsNeeded ?? 0;
    };
    expect(needed(3, { nextAlpha: 0.01 })).toBeGreaterThan(needed(3));
    expect(needed(2, { nextAlpha: 0.01 })).toBe(needed(2));
  });

  it("has nothing to say of arms that share no case", () => {
    const found = compareOnTheseCases(caseRunsOf(new Map([["a", [1]]]), new Map([["b", [0]]])));
    expect(found).toMatchObject({
      verdict: "invalid",
      cases: 0,
      casesLeftOut: 2,
      lift: null,
      interval: null,
    });
  });
});

describe("on other cases", () => {
  const three = pairCases(
    new Map([
      ["a", [1]],
      ["b", [1]],
      ["c", [0.9]],
    ]),
    new Map([
      ["a", [0]],
      ["b", [0.5]],
      ["c", [0.2]],
    ]),
  );

  it("three of three improved says little, and six cases are needed to say more", () => {
    const found = compareOnOtherCases(three);
    expect(found).toMatchObject({ verdict: "too few", gains: 3, cases: 3, casesNeeded: 6 });
    expect(found.improvesAtLeast).toBeCloseTo(0.05 ** (1 / 3));
  });

  it("six of six improved is better, in at least six of ten such cases", () => {
    const found = compareOnOtherCases([...three, ...three]);
    expect(found).toMatchObject({ verdict: "better", casesNeeded: null, worsensAtLeast: 0 });
    expect(found.improvesAtLeast).toBeCloseTo(0.05 ** (1 / 6));
    expect(casesForShare(0.6)).toBe(6);
    expect(shareAtLeast(casesForShare(0.6), casesForShare(0.6))).toBeGreaterThanOrEqual(0.6);
  });
});

describe("gates", () => {
  const all = (value: number, runs: number): number[] => Array<number>(runs).fill(value);
  const unit = (id: string, before: readonly number[], now: readonly number[]): Unit => ({
    id,
    cases: [{ treatment: now, baseline: before }],
  });

  it("confirm the one check that broke, however many others always pass", () => {
    const steady = Array.from({ length: 20 }, (_, at) => unit(`${at}`, all(1, 3), all(1, 3)));
    const found = confirmChanges([...steady, unit("broken", all(1, 3), all(0, 3))]);
    expect(found.filter(({ status }) => status !== "same").map(({ id, status }) => [id, status])).toEqual([
      ["broken", "worse"],
    ]);
    expect(found.at(-1)?.adjustedPValue).toBe(0.05);
  });

  it("confirm what got better in the same way", () => {
    expect(confirmChanges([unit("a", all(0, 3), all(1, 3))])[0]).toMatchObject({
      status: "better",
      change: 1,
    });
  });

  it("confirm a break of everything where no check alone could be told from chance", () => {
    const run = (passed: boolean) => new Map(Array.from({ length: 15 }, (_, check) => [`${check}`, passed]));
    const [before, now] = [true, false].map((passed) => Array.from({ length: 4 }, () => run(passed)));
    const { together, checks } = checkChanges([
      { caseId: "1", checks: new Set(run(true).keys()), before: before ?? [], now: now ?? [] },
    ]);
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(["moved"]));
    expect(together).toMatchObject({ status: "worse", change: -1, pValue: 1 / 70 });
  });

  it("call it moved when one of three runs failed, or the only one did", () => {
    expect(confirmChanges([unit("a", all(1, 3), [1, 0, 1])])[0]?.status).toBe("moved");
    expect(confirmChanges([unit("a", [1], [0])])[0]?.status).toBe("moved");
  });

  it("know nothing of a check that has no earlier runs", () => {
    expect(confirmChanges([unit("new", [], [0])])[0]?.status).toBe("unknown");
  });

  it("settle a query by its bounds, and lean by its rate until then", () => {
    const query = { shouldFire: true, threshold: 0.5 };
    expect(settleQuery({ ...query, fired: 3, runs: 3 }).status).toBe("passed");
    expect(settleQuery({ ...query, fired: 0, runs: 3 }).status).toBe("failed");
    expect(settleQuery({ ...query, fired: 2, runs: 3 })).toMatchObject({
      status: "unsettled",
      leaning: "passed",
    });
    expect(settleQuery({ ...query, fired: 0, runs: 0 })).toMatchObject({
      status: "unsettled",
      leaning: null,
    });
  });

  it("repeat a query only as far as that can settle it", () => {
    const runs = runsToSettle({ fired: 2, runs: 3, threshold: 0.5 }, 9) ?? 0;
    expect(runs).toBeGreaterThan(3);
    const all = { shouldFire: true, threshold: 0.5 };
    expect(settleQuery({ ...all, fired: runs - 1, runs }).status).toBe("passed");
    expect(settleQuery({ ...all, fired: runs - 2, runs: runs - 1 }).status).toBe("unsettled");
    expect(runsToSettle({ fired: 3, runs: 3, threshold: 0.9 }, 9)).toBeNull();
    expect([0.5, 0.8, 0.1].map((threshold) => fewestToSettle(threshold, 9))).toEqual([3, 1, 1]);
  });
});

describe("several looks", () => {
  const after = (runs: number, one: (run: number) => readonly [number, number]): CaseRuns => ({
    treatment: Array.from({ length: runs }, (_, run) => one(run)[0]),
    baseline: Array.from({ length: runs }, (_, run) => one(run)[1]),
  });
  const history = (cases: number, one: (run: number) => readonly [number, number], looks: number) =>
    USUAL_LOOKS.slice(0, looks).map((runs) => repeat(cases, after(runs, one)));

  it("stop at the first look for a clear lift of four cases", () => {
    const taken = lookRepeatedly(
      history(4, () => [1, 0], 1),
      { sizes: USUAL_LOOKS },
    );
    expect(taken).toMatchObject({ status: "decided", comparison: { verdict: "better" } });
    expect(taken?.looks[0]?.threshold).toBe(0.0125);
  });

  it("pass on what a look could not use, and never use more than alpha", () => {
    const taken = lookRepeatedly(
      history(2, (run) => [1, run % 2], 2),
      { sizes: USUAL_LOOKS },
    );
    expect(taken?.looks[0]).toMatchObject({ couldDecide: false, threshold: 0.0125 });
    expect(taken?.looks[1]).toMatchObject({ couldDecide: true, threshold: 0.05 / 3 });
  });

  it("give up when hardly anything can still come of it", () => {
    const taken = lookRepeatedly(
      history(8, (run) => [run % 2, (run + 1) % 2], 3),
      { sizes: USUAL_LOOKS, minEffect: 0.05 },
    );
    expect(taken?.status).toBe("futile");
    expect(lookRepeatedly([], { sizes: USUAL_LOOKS })).toBeNull();
    expect(() =>
      lookRepeatedly(
        history(1, () => [1, 1], 2),
        { sizes: [2] },
      ),
    ).toThrow("planned");
  });
});

describe("agreement by output", () => {
  const agreed: [string, string][] = [
    ["pass", "pass"],
    ["fail", "fail"],
    ["pass", "fail"],
  ];

  it("is wider when ratings come in clumps", () => {
    const single = Array.from({ length: 30 }, (_, at): [string, string][] => [
      agreed[at % 3] ?? ["pass", "pass"],
    ]);
    const clumps = Array.from({ length: 6 }, (_, at) =>
      Array.from({ length: 5 }, (): [string, string] => agreed[at % 3] ?? ["pass", "pass"]),
    );
    const width = ({ interval }: { interval: { low: number; high: number } | null }) =>
      (interval?.high ?? 0) - (interval?.low ?? 0);
    expect(kappaByOutput(single).value).toBeCloseTo(kappaByOutput(clumps).value ?? 0);
    expect(width(kappaByOutput(clumps))).toBeGreaterThan(width(kappaByOutput(single)));
    expect(alphaByOutput(clumps).interval).not.toBeNull();
  });

  it("has no interval with a handful of outputs", () => {
    expect(kappaByOutput([agreed, agreed]).interval).toBeNull();
  });
});
