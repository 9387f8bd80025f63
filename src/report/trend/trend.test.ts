import { describe, expect, it } from "vitest";
import type { Run } from "../../domain/run.ts";
import type { TrendArm, TrendLine } from "../../domain/trend.ts";
import { aBenchmark, benchRows, checksOf } from "../../../test/support/benchmarks.ts";
import { aCase } from "../../../test/support/cases.ts";
import { summarize } from "../summarize.ts";
import { auditChecks, flaggedChecks } from "./audit.ts";
import { badgeOf } from "./badge.ts";
import { type Metric, metricOf, mixtureOf, selectLines, sparkline } from "./series.ts";
import { trendLine } from "./trend-line.ts";

const GATES = { minPassRate: null, allowMissing: 0 };

function lineOf(arms: Parameters<typeof benchRows>[0], run: Partial<Run> = {}, bench = {}): TrendLine {
  const evaluated = aBenchmark({ rows: benchRows(arms).map((row) => ({ ...row, run })), bench });
  return trendLine(summarize(evaluated, GATES), evaluated);
}

describe("a line of the trend", () => {
  const line = lineOf({
    "1": { with_skill: ["pp", "pf"], without_skill: ["ff", "ff"] },
    "2": { with_skill: ["pp", "pp"], without_skill: ["pf", "pf"] },
  });

  it("has each arm's checks, runs and means", () => {
    expect(line.arms["with_skill"]).toEqual({
      trials: 4,
      scored: 4,
      passed: 7,
      total: 8,
      interval: { low: expect.closeTo(0.264, 3), high: expect.closeTo(0.993, 3) },
      unscored: 0,
      layers: { L1: { passed: 7, total: 8 } },
      meanScore: null,
      stability: 0.75,
      seconds: 1,
      tokens: null,
      costUsd: null,
    });
  });

  it("has no lift of one arm against itself", () => {
    const noise = lineOf({ "1": { with_skill: ["p", "p", "p", "f"], without_skill: [] } }, {}, { aa: true });
    expect(noise.lift).toBeNull();
    expect(noise.arms["with_skill"]).toMatchObject({ passed: 3, total: 4 });
  });

  it("has the lift with its interval", () => {
    expect(line.lift).toMatchObject({
      verdict: "underpowered",
      lift: 0.625,
      pValue: 2 / 36,
      cases: 2,
      otherCases: { verdict: "too few" },
    });
  });

  it.each([
    ["pass_rate", 0.875],
    ["stability", 0.75],
    ["lift", 0.625],
    ["seconds", 1],
    ["tokens", null],
    ["cost", null],
    ["mean_score", null],
  ] as [Metric, number | null][])("gives %s as %j", (metric, expected) => {
    expect(metricOf(line, metric)).toBe(expected);
  });

  it("knows nothing of an iteration that scored nothing", () => {
    const empty = lineOf({ "1": { with_skill: [""], without_skill: [""] } });
    expect(metricOf(empty, "pass_rate")).toBeNull();
    expect(metricOf(empty, "lift")).toBeNull();
  });
});

describe("the series", () => {
  const base = lineOf({ "1": { with_skill: ["p"], without_skill: ["f"] } });
  const lines: TrendLine[] = [
    { ...base, iteration: 1, harness: "codex" },
    { ...base, iteration: 2, model: "m" },
    { ...base, iteration: 3 },
    { ...base, iteration: 4 },
  ];
  const numbers = (found: readonly TrendLine[]) => found.map((line) => line.iteration);

  it("is chosen by agent, model and number", () => {
    const all = { harness: null, model: null, last: null };
    expect(numbers(selectLines(lines, all))).toEqual([1, 2, 3, 4]);
    expect(numbers(selectLines(lines, { ...all, harness: "codex" }))).toEqual([1]);
    expect(numbers(selectLines(lines, { ...all, model: "m" }))).toEqual([2]);
    expect(numbers(selectLines(lines, { ...all, model: "default" }))).toEqual([1, 3, 4]);
    expect(numbers(selectLines(lines, { harness: "scripted", model: "default", last: 1 }))).toEqual([4]);
  });

  it("leaves the text in the prompt out", () => {
    const { with_skill: arm } = base.arms;
    const inline = { ...base, iteration: 5, arms: { inline: arm as TrendArm } };
    expect(numbers(selectLines([...lines, inline], { harness: null, model: null, last: 1 }))).toEqual([4]);
  });

  it("tells agents and models apart", () => {
    expect(mixtureOf(lines)).toEqual([
      "codex with its default model",
      "scripted with m",
      "scripted with its default model",
    ]);
    expect(mixtureOf(lines.slice(2))).toHaveLength(1);
  });

  it.each([
    [[0, 0.5, 1], "pass_rate", "▁▅█"],
    [[0.9, null, 0.95], "pass_rate", "█ █"],
    [[100, 150, 200], "tokens", "▁▅█"],
    [[7, 7], "seconds", "██"],
    [[null], "lift", ""],
    [[-0.5, 0.5], "lift", "▁█"],
  ] as [(number | null)[], Metric, string][])("draws %j of %s as %s", (values, metric, bars) => {
    expect(sparkline(values, metric)).toBe(bars);
  });
});

describe("the badge", () => {
  const benched = lineOf({ "1": { with_skill: ["pp"], without_skill: ["ff"] } });
  const line: TrendLine = { ...benched, lift: null };
  const withArm = (arm: Partial<TrendArm>, parts: Partial<TrendLine> = {}): TrendLine => ({
    ...line,
    ...parts,
    arms: { with_skill: { ...(line.arms["with_skill"] as TrendArm), ...arm } },
  });
  const judged = { L1: { passed: 2, total: 2 }, L3: { passed: 9, total: 10 } };

  it.each([
    ["all checks", line, "2/2", "brightgreen"],
    ["a failed check", withArm({ layers: { L1: { passed: 1, total: 2 } } }), "1/2", "red"],
    ["a judge", withArm({ layers: judged }), "2/2 · judge 90%", "brightgreen"],
    ["a judge alone", withArm({ layers: { L3: judged.L3 } }), "judge 90%", "brightgreen"],
    [
      "repetitions",
      withArm({ layers: judged, trials: 5, stability: 0.8 }),
      "2/2 · judge 90% · 80% stable",
      "brightgreen",
    ],
    ["a missed threshold", withArm({ layers: judged }, { verdict: "failed" }), "2/2 · judge 90%", "yellow"],
    ["something unfinished", withArm({}, { verdict: "unfinished" }), "incomplete", "lightgrey"],
    ["what nobody could decide", withArm({ unscored: 2 }), "incomplete: 2 unscored", "lightgrey"],
    ["no check", withArm({ total: 0, layers: {} }), "no data", "lightgrey"],
    ["no iteration", null, "no data", "lightgrey"],
  ] as [string, TrendLine | null, string, string][])("for %s", (_name, from, message, color) => {
    expect(badgeOf(from)).toEqual({ schemaVersion: 1, label: "assay", message, color });
  });

  const of = (cases: number, withSkill: readonly string[], without: readonly string[]) =>
    lineOf(
      Object.fromEntries(
        Array.from({ length: cases }, (_, at) => [
          `${at}`,
          { with_skill: withSkill, without_skill: without },
        ]),
      ),
    );
  const [GOOD, BAD] = [
    ["p", "p", "p"],
    ["f", "f", "f"],
  ];

  it.each([
    ["better here", of(3, GOOD, BAD), "better on 3 cases, +100 points", "brightgreen"],
    [
      "better here and elsewhere",
      of(8, GOOD, BAD),
      "better on 8 cases, +100 points · helps in at least 69% of such cases",
      "brightgreen",
    ],
    [
      "better here and behind an earlier version",
      { ...of(3, GOOD, BAD), verdict: "failed" },
      "better on 3 cases, +100 points · but a gate failed",
      "red",
    ],
    ["worse", of(8, BAD, GOOD), "worse on 8 cases, -100 points · hurts in at least 69% of such cases", "red"],
    ["undecided", benched, "undecided on 1 case", "lightgrey"],
    [
      "of a skill that was never loaded",
      lineOf({ "1": { with_skill: GOOD, without_skill: BAD } }, { activations: [] }),
      "not measured",
      "lightgrey",
    ],
    ["unscored in one arm", of(6, ["pu", "pu"], ["pf", "pf"]), "incomplete: 12 unscored", "lightgrey"],
  ] as [string, TrendLine, string, string][])("for a benchmark that is %s", (_name, from, message, color) => {
    expect(badgeOf(from)).toMatchObject({ message, color });
  });
});

describe("the audit", () => {
  const options = { minRuns: 3, minDifference: 0.05 };
  const audit = (withSkill: readonly string[], without: readonly string[] | null) =>
    auditChecks(
      [
        aBenchmark({
          rows: benchRows({
            "1": { with_skill: withSkill, ...(without !== null && { without_skill: without }) },
          }),
        }),
      ],
      options,
    ).map((check) => check.verdict);

  it.each([
    ["tells the arms apart", ["p", "p", "p"], ["f", "f", "f"], "keep"],
    ["tells them apart the wrong way", ["f", "p", "f"], ["p", "p", "p"], "keep"],
    ["always passes, also without", ["p", "p", "p"], ["p", "p", "p"], "never fails"],
    ["never passes", ["f", "f", "f"], ["f", "f", "f"], "never passes"],
    ["never passes with, does without", ["f", "f", "f"], ["p", "p", "p"], "never passes"],
    ["fails as often in both", ["p", "p", "f"], ["p", "f", "p"], "never differs"],
    ["always passes, and nobody looked without", ["p", "p", "p"], null, "no baseline"],
    ["has hardly been run", ["p", "p"], ["p", "p"], "too few runs"],
    ["has hardly been run without", ["p", "p", "p"], ["p"], "too few runs"],
    ["was never decided", ["u", "u", "u"], ["u", "u", "u"], "too few runs"],
  ] as [string, string[], string[] | null, string][])(
    "of a check that %s",
    (_name, withSkill, without, verdict) => {
      expect(audit(withSkill, without)).toEqual([verdict]);
    },
  );

  it("finds nothing in a healthy suite", () => {
    const healthy = aBenchmark({
      rows: benchRows({ "1": { with_skill: ["pp", "pp", "pp"], without_skill: ["ff", "pf", "ff"] } }),
    });
    const plain = aBenchmark({ rows: benchRows({ "1": { with_skill: ["pp", "pp", "pp"] } }) });
    expect(flaggedChecks(auditChecks([healthy], options))).toEqual([]);
    expect(flaggedChecks(auditChecks([plain], options))).toEqual([]);
  });

  it("adds iterations up, and speaks of the newest one's checks only", () => {
    const rows = benchRows({ "1": { with_skill: ["pp"], without_skill: ["pp"] } });
    const one = aCase({ id: "1", checks: checksOf(1) });
    const [check, ...others] = auditChecks(
      [aBenchmark({ rows }), aBenchmark({ rows }), aBenchmark({ rows, cases: [one] })],
      options,
    );
    expect(check).toMatchObject({ verdict: "never fails", withSkill: { passed: 3, total: 3 } });
    expect(others).toEqual([]);
  });

  it("holds no check against a baseline that is not held to it", () => {
    const one = aCase({ id: "1", checks: checksOf(1, { appliesTo: "with-skill" }) });
    const rows = benchRows({ "1": { with_skill: ["p", "p", "p"], without_skill: ["u", "u", "u"] } });
    expect(auditChecks([aBenchmark({ rows, cases: [one] })], options)[0]?.verdict).toBe("no baseline");
  });
});
