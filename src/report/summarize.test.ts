import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aCase } from "../../test/support/cases.ts";
import { aGrading, aRun, aVerdict, anIteration } from "../../test/support/runs.ts";
import type { Outcome } from "../domain/run.ts";
import { type Case, NO_SETTINGS } from "../domain/suite.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import { alarmsOf } from "./alarms.ts";
import type { Evaluated } from "./evaluated.ts";
import type { GateOptions } from "./gates.ts";
import { summarize } from "./summarize.ts";

interface Row {
  readonly variant?: Variant;
  readonly repetition?: number;
  readonly outcome?: Outcome;
  /** One letter per check: p passed, f failed, u unscored. Absent: the trial did not run. */
  readonly verdicts?: string;
  readonly scores?: readonly number[];
}

const STATUS = { p: "passed", f: "failed", u: "unscored" } as const;
const GATES = { minPassRate: null, allowMissing: 0 } as GateOptions;

function evaluated(rows: readonly Row[], one: Case = aCase({ checks: [aCheck] })): Evaluated {
  const trials = rows.map((row, index): Trial => {
    const { variant = "with_skill", repetition = index + 1 } = row;
    return { id: `1/${variant}/run-${repetition}`, key: String(index), caseId: "1", variant, repetition };
  });
  const ran = rows
    .map((row, index) => [row, trials[index]!] as const)
    .filter(([row]) => row.verdicts !== undefined);
  return {
    iteration: anIteration(),
    cases: [one],
    trials,
    runs: new Map(
      ran.map(([row, trial]) => [
        trial.id,
        {
          run: aRun({ trialId: trial.id, activations: LOADED, ...(row.outcome && { outcome: row.outcome }) }),
        },
      ]),
    ),
    gradings: new Map(ran.map(([row, trial]) => [trial.id, aGrading(trial.id, verdicts(row, trial.id))])),
  };
}

const LOADED = [{ skill: anIteration().suite, by: "tool", event: 1 }] as const;

const aCheck = {
  id: "c",
  layer: "L1",
  text: "t",
  appliesTo: "every-variant",
  origin: null,
  kind: "no_denied_tools",
} as const;

function verdicts(row: Row, trialId: string): Verdict[] {
  return (row.verdicts ?? "").split("").map((letter, index) =>
    aVerdict({
      trialId,
      checkId: `c${index}`,
      status: STATUS[letter as keyof typeof STATUS],
      score: row.scores?.[index] ?? null,
      layer: row.scores ? "L3" : "L1",
    }),
  );
}

function verdict(rows: readonly Row[], options: Partial<GateOptions> = {}, one?: Case): string {
  return summarize(evaluated(rows, one), { ...GATES, ...options }).verdict;
}

describe("the verdict of an iteration", () => {
  it.each([
    ["all pass", [{ verdicts: "ppp" }], "passed"],
    ["one fails", [{ verdicts: "ppf" }], "failed"],
    ["one run of two fails", [{ verdicts: "pp" }, { verdicts: "pf" }], "failed"],
    ["a check is unscored", [{ verdicts: "ppu" }], "unfinished"],
    ["a trial never ran", [{ verdicts: "p" }, {}], "unfinished"],
    [
      "a trial was left out",
      [{ verdicts: "p" }, { verdicts: "", outcome: leftOut("rate-limit", "") }],
      "unfinished",
    ],
    [
      "the baseline fails",
      [{ verdicts: "p" }, { verdicts: "f", variant: "without_skill", repetition: 1 }],
      "passed",
    ],
    ["there is no check", [{ verdicts: "" }], "ungraded"],
    ["it timed out", [{ verdicts: "ff", outcome: { status: "timed-out", afterMs: 5 } }], "failed"],
  ] as [string, Row[], string][])("when %s", (_name, rows, expected) => {
    expect(verdict(rows)).toBe(expected);
  });

  it("bears as many missing as allowed and no more", () => {
    const rows: Row[] = [{ verdicts: "p" }, {}, { verdicts: "pu" }];
    expect([verdict(rows, { allowMissing: 1 }), verdict(rows, { allowMissing: 2 })]).toEqual([
      "unfinished",
      "passed",
    ]);
  });

  it.each<[string, Row[], string]>([
    ["every trial was left out", [{ verdicts: "", outcome: leftOut("rate-limit", "") }], "unfinished"],
    ["no check could be scored", [{ verdicts: "uu" }], "unfinished"],
    ["one of the trials has no result and the other no checks", [{ verdicts: "" }, {}], "ungraded"],
  ])("bears no amount of missing results when %s", (_name, rows, expected) => {
    expect(verdict(rows, { allowMissing: 99 })).toBe(expected);
  });

  it("takes --min-pass-rate for every check, bound included", () => {
    expect([
      verdict([{ verdicts: "ppff" }], { minPassRate: 0.5 }),
      verdict([{ verdicts: "pfff" }], { minPassRate: 0.5 }),
    ]).toEqual(["passed", "failed"]);
  });

  it("lets thresholds replace the demand on judged checks, bounds included", () => {
    const one = aCase({
      checks: [aCheck],
      settings: { ...NO_SETTINGS, gradeThresholds: { minPassRate: 0.5, minMeanScore: 0.6 } },
    });
    expect(verdict([{ verdicts: "pf", scores: [0.9, 0.3] }], {}, one)).toBe("passed");
    expect(verdict([{ verdicts: "pf", scores: [0.8, 0.3] }], {}, one)).toBe("failed");
    expect(verdict([{ verdicts: "ff", scores: [0.9, 0.9] }], {}, one)).toBe("failed");
    expect(verdict([{ verdicts: "pf" }], {}, one)).toBe("failed");
  });

  it("asks for the stability the case declares", () => {
    const one = aCase({
      checks: [aCheck],
      settings: { ...NO_SETTINGS, variance: { runs: 5, minStability: 0.8 } },
    });
    const runs = (bad: number) =>
      Array.from({ length: 5 }, (_, i): Row => ({ verdicts: i < bad ? "f" : "p" }));
    expect([verdict(runs(1), {}, one), verdict(runs(2), {}, one)]).toEqual(["passed", "failed"]);
  });
});

describe("the numbers", () => {
  it("count scored checks of counted trials, with an interval", () => {
    const summary = summarize(
      evaluated([
        { verdicts: "ppf" },
        { verdicts: "pu" },
        { verdicts: "fff", outcome: leftOut("invalid", "") },
      ]),
      GATES,
    );
    expect(summary.variants[0]).toMatchObject({
      trials: 3,
      counted: 2,
      leftOut: { invalid: 1 },
      unscoredChecks: 1,
      cases: 1,
      checks: { passed: 3, total: 4, rate: 0.75 },
    });
    expect(summary.variants[0]?.checks).toMatchObject({ low: null, high: null });
    expect(summary.missing).toEqual({
      notRun: 0,
      leftOut: { invalid: 1 },
      unscoredChecks: 1,
      ungradedCases: 0,
    });
  });

  it("are null, never zero or NaN, when nothing was counted", () => {
    const summary = summarize(evaluated([{}]), GATES);
    expect(summary.variants[0]?.checks).toEqual({ passed: 0, total: 0, rate: null, low: null, high: null });
    expect(summary.usage.costUsd).toBeNull();
    expect(JSON.stringify(summary)).not.toContain("NaN");
  });
});

describe("alarms", () => {
  it.each([
    ["no trial produced a result", [{ verdicts: "", outcome: leftOut("auth", "") }]],
    [
      "every check passes without the skill too",
      [{ verdicts: "p" }, { verdicts: "p", variant: "without_skill", repetition: 1 }],
    ],
    [
      "no with_skill run finished (2 timed out)",
      [1, 2].map(() => ({ verdicts: "f", outcome: { status: "timed-out", afterMs: 1 } })),
    ],
  ] as [string, Row[]][])("%s", (alarm, rows) => {
    expect(summarize(evaluated(rows), GATES).alarms.join()).toContain(alarm);
  });

  it("do not mistake what a person stopped for a broken set-up", () => {
    const interrupted = { verdicts: "", outcome: leftOut("interrupted", "") } as const;
    expect(summarize(evaluated([interrupted]), GATES).alarms).toEqual([]);
  });

  it("wait for baselines that could not be counted", () => {
    const baseline = { variant: "without_skill", repetition: 1 } as const;
    const counted = summarize(evaluated([{ ...baseline, verdicts: "p" }]), GATES);
    const outcome = leftOut("api", "");
    const lost = summarize(evaluated([{ ...baseline, verdicts: "", outcome }]), GATES);
    const variants = counted.variants;
    const skill = { path: "skills/demo", sha256: "0" };
    const both = { variants, cases: [...counted.cases, ...lost.cases], missing: lost.missing, skill };
    expect(alarmsOf({ ...counted, variants, skill })).toHaveLength(1);
    expect(alarmsOf({ ...counted, variants, skill: null })).toEqual([]);
    expect(alarmsOf(both)).toEqual([]);
  });

  it("stay silent on an ordinary result", () => {
    expect(
      summarize(
        evaluated([{ verdicts: "pf" }, { verdicts: "f", variant: "without_skill", repetition: 1 }]),
        GATES,
      ).alarms,
    ).toEqual([]);
  });
});
