import type { Check } from "../../src/domain/check.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Case } from "../../src/domain/suite.ts";
import type { Trial, Variant } from "../../src/domain/trial.ts";
import type { Verdict } from "../../src/domain/verdict.ts";
import type { Evaluated } from "../../src/report/evaluated.ts";
import { aCase } from "./cases.ts";
import { aGrading, anIteration, aRun, aVerdict } from "./runs.ts";

/** One trial of a benchmark: `checks` has a letter per check, `p`assed, `f`ailed or `u`nscored; null was never run. */
export interface BenchRow {
  readonly case: string;
  readonly arm: Variant;
  readonly checks: string | null;
  readonly run?: Partial<Run>;
  readonly withinJudges?: number;
}

export interface BenchParts {
  readonly rows: readonly BenchRow[];
  readonly cases?: readonly Case[];
  readonly bench?: JsonObject;
  readonly number?: number;
}

const BENCH = { alpha: 0.05, minEffect: 0, aa: false, adaptive: null };

/** An iteration of a benchmark as its journal would give it. Repetitions count up per case and arm. */
export function aBenchmark({ rows, cases, bench = {}, number = 1 }: BenchParts): Evaluated {
  const counts = new Map<string, number>();
  const made = rows.map((row) => {
    const key = `${row.case}/${row.arm}`;
    const repetition = (counts.get(key) ?? 0) + 1;
    counts.set(key, repetition);
    const id = `${key}/run-${repetition}`;
    return { row, trial: { id, key: id, caseId: row.case, variant: row.arm, repetition } satisfies Trial };
  });
  const run = made.filter(({ row }) => row.checks !== null);
  return {
    iteration: anIteration({ number, suite: "demo", options: { bench: { ...BENCH, ...bench } } }),
    cases: cases ?? casesOf(rows),
    trials: made.map(({ trial }) => trial),
    runs: new Map(run.map(({ row, trial }) => [trial.id, { run: runOf(row, trial) }])),
    gradings: new Map(run.map(({ row, trial }) => [trial.id, gradingOf(row, trial)])),
  };
}

/** The same rows for every case: `{ with_skill: ["pp", "pf"] }` is two runs of two checks in that arm. */
export function benchRows(
  cases: Readonly<Record<string, Partial<Record<Variant, readonly string[]>>>>,
): BenchRow[] {
  return Object.entries(cases).flatMap(([id, arms]) =>
    Object.entries(arms).flatMap(([arm, runs]) =>
      runs.map((checks) => ({ case: id, arm: arm as Variant, checks })),
    ),
  );
}

/** So many cases, each won by the arm under test in both of its runs. */
export function wins(cases: number): BenchRow[] {
  return benchRows(
    Object.fromEntries(
      Array.from({ length: cases }, (_, at) => [
        String(at + 1),
        { with_skill: ["pp", "pp"], without_skill: ["pf", "ff"] },
      ]),
    ),
  );
}

/** With and without the skill the other way around. */
export function swapped(rows: readonly BenchRow[]): BenchRow[] {
  const other: Partial<Record<Variant, Variant>> = {
    with_skill: "without_skill",
    without_skill: "with_skill",
  };
  return rows.map((row) => ({ ...row, arm: other[row.arm] ?? row.arm }));
}

export function checksOf(count: number, parts: Partial<Check> = {}): Check[] {
  return Array.from(
    { length: count },
    (_, index) =>
      ({
        id: `c${index + 1}`,
        layer: "L1",
        text: `check ${index + 1}`,
        appliesTo: "every-variant",
        origin: null,
        kind: "contains",
        needle: "x",
        ignoreCase: false,
        ...parts,
      }) as Check,
  );
}

function casesOf(rows: readonly BenchRow[]): Case[] {
  return [...new Set(rows.map((row) => row.case))].map((id) => {
    const most = Math.max(0, ...rows.filter((row) => row.case === id).map((row) => row.checks?.length ?? 0));
    return aCase({ id, declaredId: Number.isInteger(Number(id)) ? Number(id) : id, checks: checksOf(most) });
  });
}

function runOf({ arm, run }: BenchRow, trial: Trial): Run {
  const loaded = arm === "without_skill" || arm === "inline" ? [] : LOADED;
  return aRun({ trialId: trial.id, activations: loaded, ...run });
}

const LOADED = [{ skill: "demo", by: "tool", event: 1 }] as const;

function gradingOf({ checks, withinJudges }: BenchRow, trial: Trial) {
  const verdicts = (checks ?? "").split("").map((letter, index) =>
    aVerdict({
      trialId: trial.id,
      checkId: `c${index + 1}`,
      text: `check ${index + 1}`,
      status: STATUS[letter] ?? "unscored",
    }),
  );
  const agreement = { judges: 1, runs: 3, betweenJudges: null, alpha: null };
  return {
    ...aGrading(trial.id, verdicts),
    ...(withinJudges !== undefined && { agreement: { ...agreement, withinJudges } }),
  };
}

const STATUS: Readonly<Record<string, Verdict["status"]>> = { p: "passed", f: "failed", u: "unscored" };
