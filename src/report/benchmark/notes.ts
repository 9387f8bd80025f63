import type { ArmSummary, CaseComparison } from "../../domain/benchmark.ts";
import { secondsOf } from "../../domain/run.ts";
import { groupBy } from "../../lib/group-by.ts";
import { plural } from "../../lib/plural.ts";
import { describeValues } from "../../stats/descriptive.ts";
import { percent, thousands } from "../text.ts";
import type { CountedRun } from "../trial-facts.ts";
import { type Arm, countedRuns, holdsTo } from "./arm.ts";
import { checkPatterns, type CheckPattern, type Pattern, patternOf } from "./check-patterns.ts";
import { notCompared, type ArmSides } from "./compare-arms.ts";

export interface NotedBenchmark {
  readonly sides: ArmSides;
  readonly arms: readonly ArmSummary[];
  readonly cases: readonly CaseComparison[];
  /** One arm against itself: no check can tell the two apart. */
  readonly sameArm: boolean;
}

/**
 * What stands out in a benchmark, found by code: nobody is asked for an opinion. What is true of many checks, cases or
 * runs is said once. First what may change the decision, last what only explains the numbers.
 */
export function notesOf(benchmark: NotedBenchmark): string[] {
  const { sides, arms, cases, sameArm } = benchmark;
  const patterns = sameArm ? [] : checkPatterns(sides.cases, sides);
  const [treatment, baseline] = [sides.treatment.name, sides.baseline.name];
  const sure = patterns.filter(isBeyondChance);
  const unsure = patterns.filter((one) => !isBeyondChance(one));
  const only = (one: string, other: string) => `in every run of ${one} and in none of ${other}`;
  return [
    ...checkNotes(sure, "only in baseline", `${only(baseline, treatment)}: ${treatment} breaks it`),
    ...manyNote(unsure, "only in baseline", only(baseline, treatment)),
    ...notComparedNotes(sides),
    ...varianceNotes(cases, sides),
    ...validityNotes(sides),
    ...reuseNotes(arms),
    ...checkNotes(sure, "only in treatment", only(treatment, baseline)),
    ...manyNote(unsure, "only in treatment", only(treatment, baseline)),
    ...checkNotes(
      patterns.filter(isAlikeBeyondChance),
      "fails in both",
      "in no run on either side and does not differentiate: too hard, or broken",
    ),
    ...checkNotes(
      patterns.filter((one) => !isAlikeBeyondChance(one)),
      "fails in both",
      "in no run on either side and does not differentiate so far",
    ),
    ...checkNotes(patterns, "passes in both", "in every run on both sides and does not differentiate"),
    ...[sides.treatment, sides.baseline].flatMap(outlierNotes),
    ...withOnlyNotes(sides),
  ];
}

function notComparedNotes(sides: ArmSides): string[] {
  const { checks, cases } = notCompared(sides);
  if (checks === 0) return [];
  const which = checks === 1 ? "1 check was" : `${checks} checks were`;
  const where = cases === 1 ? "1 case" : `${cases} cases`;
  return [`${which} unscored in some run of ${where} and not compared: only checks scored on both sides are`];
}

/** More names than this are counted. */
const MOST_NAMES = 3;
/** A standard deviation between runs from which on a case is called unsteady. */
const HIGH_STDDEV = 0.25;
/** A run this many times above its case's median is worth a look. */
const OUTLIER_FACTOR = 3;

/** So few runs pass and fail all alike by chance too often to call it the skill's doing. */
function isBeyondChance({ treatment, baseline }: CheckPattern): boolean {
  return treatment.total >= FEWEST_RUNS && baseline.total >= FEWEST_RUNS;
}
/** Four against four come out so once in seventy times. */
const FEWEST_RUNS = 4;

/** Both arms together: a check that passes every other time comes out alike in six runs once in thirty-two times. */
function isAlikeBeyondChance({ treatment, baseline }: CheckPattern): boolean {
  return treatment.total + baseline.total >= 6;
}

/** All of them in one note: each alone may be chance. */
function manyNote(patterns: readonly CheckPattern[], wanted: Pattern, words: string): string[] {
  const count = patterns.filter((one) => patternOf(one) === wanted).length;
  if (count === 0) return [];
  return [
    `${plural(count, "check")} ${count === 1 ? "passes" : "pass"} ${words}; that may be chance below ${FEWEST_RUNS} runs per case`,
  ];
}

/** One note for each text of a check, however many cases ask it. */
function checkNotes(patterns: readonly CheckPattern[], wanted: Pattern, words: string): string[] {
  const alike = groupBy(
    patterns.filter((one) => patternOf(one) === wanted),
    ({ text }) => text,
  );
  const byCases = [...alike].toSorted(([, a], [, b]) => b.length - a.length);
  return byCases.map(([text, mine]) => {
    const flat = text.replaceAll(/\s+/g, " ");
    const short = flat.length > 100 ? `${flat.slice(0, 97)}...` : flat;
    const cases = names(mine.map(({ case: one }) => one.name ?? one.id));
    return `Check ${JSON.stringify(short)} (${cases}) passes ${words}`;
  });
}

function varianceNotes(cases: readonly CaseComparison[], sides: ArmSides): string[] {
  return (["treatment", "baseline"] as const).flatMap((side) => {
    const unsteady = cases
      .filter((one) => (one[side].stddev ?? 0) >= HIGH_STDDEV)
      .toSorted((a, b) => (b[side].stddev ?? 0) - (a[side].stddev ?? 0));
    if (unsteady.length === 0) return [];
    const which = names(
      unsteady.map((one) => {
        const { passRate, stddev, scored } = one[side];
        return `${one.name ?? one.caseId}: ${percent(passRate ?? 0)} ± ${percent(stddev ?? 0)} over ${scored} runs`;
      }),
    );
    return [
      `${plural(unsteady.length, "case")} ${unsteady.length === 1 ? "varies" : "vary"} between runs of ${sides[side].name} (${which}): flaky, or a matter of luck`,
    ];
  });
}

function outlierNotes(arm: Arm): string[] {
  const measures: readonly (readonly [string, (run: CountedRun) => number | null])[] = [
    ["s", secondsOf],
    ["tokens", ({ tokens }) => tokens],
  ];
  return measures.flatMap(([unit, measure]) => {
    const far = [...arm.runs.values()].flatMap((mine) => {
      const known = mine.map(measure).filter((value) => value !== null);
      if (known.length < 3 || Math.max(...known) <= OUTLIER_FACTOR * Math.min(...known)) return [];
      const typical = describeValues(known)?.median ?? 0;
      if (typical === 0) return [];
      return mine
        .map((run) => ({ id: run.trial.id, value: measure(run) ?? 0, typical }))
        .filter(({ value }) => value > OUTLIER_FACTOR * typical);
    });
    if (far.length === 0) return [];
    const farthest = far.toSorted((a, b) => b.value / b.typical - a.value / a.typical);
    const which = names(
      farthest.map(
        ({ id, value, typical }) => `${id}: ${amount(value)} ${unit}, ${amount(typical)} is typical`,
      ),
    );
    return [
      `${plural(far.length, "run")} of ${arm.name} took far more ${unit === "s" ? "time" : unit} than others of the same case (${which})`,
    ];
  });
}

function amount(value: number): string {
  return value < 100 ? value.toFixed(1) : thousands(value);
}

function reuseNotes(arms: readonly ArmSummary[]): string[] {
  return arms
    .filter(({ reused }) => reused > 0)
    .map(
      ({ arm, trials, reused }) =>
        `${arm}: ${reused} of ${trials} runs were reused from an earlier iteration, because nothing they depend on has changed; if the model drifted since, that counts as an effect (--no-reuse runs them again)`,
    );
}

function validityNotes({ treatment, baseline }: ArmSides): string[] {
  return [treatment, baseline].flatMap((arm) => {
    const runs = countedRuns(arm);
    const unverified = runs.filter(({ isUnverified }) => isUnverified).length;
    const edited = runs.filter(({ editsSkill }) => editsSkill).length;
    return [
      ...(unverified === 0
        ? []
        : [`${arm.name}: in ${unverified} of ${runs.length} runs it is unknown which skills were offered`]),
      ...(edited === 0 ? [] : [`${arm.name}: ${edited} of ${runs.length} runs changed the skill under test`]),
    ];
  });
}

function withOnlyNotes(sides: ArmSides): string[] {
  const only = sides.cases
    .flatMap((one) => one.checks)
    .filter(
      (check) => holdsTo(check, sides.treatment.variant) !== holdsTo(check, sides.baseline.variant),
    ).length;
  return only === 0
    ? []
    : [
        `${only} ${only === 1 ? "check applies" : "checks apply"} to runs with the skill only and ${only === 1 ? "is" : "are"} not compared`,
      ];
}

/** The first few; the rest is counted. */
function names(all: readonly string[]): string {
  const rest = all.length - MOST_NAMES;
  return rest > 0 ? `${all.slice(0, MOST_NAMES).join("; ")} and ${rest} more` : all.join("; ");
}
