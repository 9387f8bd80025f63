import type { ArmComparison, ArmSummary, CaseComparison, MeasureChange } from "../../domain/benchmark.ts";
import { totalTokens } from "../../domain/run.ts";
import { describeValues } from "../../stats/descriptive.ts";
import { signedLikePython } from "../../stats/python-format.ts";
import { percent, signedSeconds, thousands } from "../text.ts";
import { type Arm, countedRuns, type CountedRun, holdsTo } from "./arm.ts";
import { checkPatterns, type CheckPattern, type Pattern, patternOf } from "./check-patterns.ts";
import { commonCases, notCompared, type Sides } from "./compare-arms.ts";

export interface NotedBenchmark {
  readonly sides: Sides;
  readonly comparison: ArmComparison;
  readonly arms: readonly ArmSummary[];
  readonly cases: readonly CaseComparison[];
  /** One arm against itself: no check can tell the two apart. */
  readonly sameArm: boolean;
}

/** What stands out in a benchmark, found by code: nobody is asked for an opinion. */
export function notesOf(benchmark: NotedBenchmark): string[] {
  const { sides, comparison, arms, cases, sameArm } = benchmark;
  return [
    ...(sameArm ? [] : checkNotes(sides)),
    ...varianceNotes(cases, sides),
    ...costNotes(comparison),
    ...[sides.treatment, sides.baseline].flatMap(outlierNotes),
    ...arms.flatMap(armNotes),
    ...validityNotes(sides),
    ...withOnlyNotes(sides),
    ...notComparedNotes(sides),
  ];
}

function notComparedNotes(sides: Sides): string[] {
  const { checks, cases } = notCompared(sides);
  if (checks === 0) return [];
  const which = checks === 1 ? "1 check was" : `${checks} checks were`;
  const where = cases === 1 ? "1 case" : `${cases} cases`;
  return [`${which} unscored in some run of ${where} and not compared: only checks scored in both arms are`];
}

/** More notes of one kind hide the others. */
const MOST_OF_A_KIND = 6;
/** A standard deviation between runs from which on a case is called unsteady. */
const HIGH_STDDEV = 0.25;
/** A run this many times above its case's median is worth a look. */
const OUTLIER_FACTOR = 3;

function checkNotes(sides: Sides): string[] {
  const patterns = checkPatterns(commonCases(sides), sides);
  const { treatment, baseline } = { treatment: sides.treatment.name, baseline: sides.baseline.name };
  const say: readonly (readonly [Pattern, string])[] = [
    ["only in treatment", `passes only in ${treatment}`],
    ["only in baseline", `passes only in ${baseline}: ${treatment} breaks it`],
    ["fails in both", "fails in every run of both arms and does not differentiate: too hard, or broken"],
    ["passes in both", "passes in every run of both arms and does not differentiate"],
  ];
  return say.flatMap(([pattern, words]) => {
    const mine = patterns.filter((one) => patternOf(one) === pattern);
    const lines = mine.slice(0, MOST_OF_A_KIND).map((one) => `${checkName(one)} ${words}`);
    const rest = mine.length - lines.length;
    return rest > 0
      ? [...lines, `The same is true of ${rest} more ${rest === 1 ? "check" : "checks"}`]
      : lines;
  });
}

function checkName({ case: one, text }: CheckPattern): string {
  const flat = text.replaceAll(/\s+/g, " ");
  const short = flat.length > 100 ? `${flat.slice(0, 97)}...` : flat;
  return `Check ${JSON.stringify(short)} (${one.name ?? one.id})`;
}

function varianceNotes(cases: readonly CaseComparison[], sides: Sides): string[] {
  return cases.flatMap((one) =>
    (["treatment", "baseline"] as const).flatMap((side) => {
      const { passRate, stddev, scored } = one[side];
      if (passRate === null || stddev === null || stddev < HIGH_STDDEV) return [];
      return `Case ${one.name ?? one.caseId} varies between runs of ${sides[side].name} (${percent(passRate)} ± ${percent(stddev)} over ${scored} runs): it may be flaky or depend on luck`;
    }),
  );
}

function costNotes({ treatment, baseline, passRate, seconds, tokens }: ArmComparison): string[] {
  const costs = [
    changeText(seconds, signedSeconds),
    changeText(tokens, (value) => `${value < 0 ? "-" : "+"}${thousands(Math.abs(value))} tokens`),
  ].filter((text) => text !== "");
  if (costs.length === 0 || passRate.lift === null) return [];
  return [
    `${treatment} against ${baseline} per run: ${costs.join(", ")}, for ${signedLikePython(passRate.lift, 2)} in pass rate`,
  ];
}

function changeText(change: MeasureChange | null, show: (value: number) => string): string {
  if (change === null) return "";
  return `${show(change.difference)}${change.ratio === null ? "" : ` (x${change.ratio.toFixed(2)})`}`;
}

function outlierNotes(arm: Arm): string[] {
  const measures: readonly (readonly [string, (run: CountedRun) => number | null])[] = [
    ["s", ({ run }) => run.durationMs / 1000],
    ["tokens", ({ run }) => totalTokens(run.usage)],
  ];
  return measures.flatMap(([unit, measure]) =>
    [...arm.runs.values()].flatMap((mine) => {
      const known = mine.flatMap((run) => measure(run) ?? []);
      const typical = describeValues(known)?.median ?? 0;
      if (known.length < 3 || typical === 0) return [];
      return mine
        .map((run) => ({ id: run.trial.id, value: measure(run) ?? 0 }))
        .filter(({ value }) => value > OUTLIER_FACTOR * typical)
        .map(
          ({ id, value }) =>
            `Run ${id} is an outlier: ${amount(value)} ${unit}, where ${amount(typical)} is typical`,
        );
    }),
  );
}

function amount(value: number): string {
  return value < 100 ? value.toFixed(1) : thousands(value);
}

function armNotes({ arm, trials, scored, undecided, leftOut, notRun, reused }: ArmSummary): string[] {
  const parts = Object.entries(leftOut).map(([status, count]) => `${count} ${status}`);
  if (notRun > 0) parts.push(`${notRun} not run`);
  if (undecided > 0) parts.push(`${undecided} without a decided check`);
  return [
    ...(parts.length === 0
      ? []
      : [`${arm}: ${scored} of ${trials} runs are in the numbers; left out: ${parts.join(", ")}`]),
    ...(reused === 0
      ? []
      : [
          `${arm}: ${reused} of ${trials} runs were taken over from an earlier iteration, because nothing they depend on has changed; a drift of the model since then would count as an effect (--no-reuse runs them again)`,
        ]),
  ];
}

function validityNotes({ treatment, baseline }: Sides): string[] {
  return [treatment, baseline].flatMap((arm) => {
    const runs = countedRuns(arm);
    const unverified = runs.filter(({ run }) => run.validity.status === "unverified").length;
    const edited = runs.filter(({ run }) => run.skillEdits.length > 0).length;
    return [
      ...(unverified === 0
        ? []
        : [
            `${arm.name}: in ${unverified} of ${runs.length} runs it could not be seen which skills were offered`,
          ]),
      ...(edited === 0 ? [] : [`${arm.name}: ${edited} of ${runs.length} runs changed the skill under test`]),
    ];
  });
}

function withOnlyNotes(sides: Sides): string[] {
  const only = commonCases(sides)
    .flatMap((one) => one.checks)
    .filter(
      (check) => holdsTo(check, sides.treatment.variant) !== holdsTo(check, sides.baseline.variant),
    ).length;
  return only === 0
    ? []
    : [
        `${only} ${only === 1 ? "check applies" : "checks apply"} to runs with the skill only: in the runs' pass rates, but not in the comparison`,
      ];
}
