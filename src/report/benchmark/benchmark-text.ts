import type {
  AdaptiveBenchmark,
  ArmComparison,
  BenchmarkSummary,
  BenchmarkVerdict,
  CaseComparison,
  ComparedChecks,
  MeasureChange,
} from "../../domain/benchmark.ts";
import type { Rate } from "../../domain/summary.ts";
import { groupBy } from "../../lib/group-by.ts";
import { plural } from "../../lib/plural.ts";
import { countsText, repeatedText } from "../run-counts.ts";
import { causeText } from "./causes.ts";
import { money, percent, signedSeconds, thousands } from "../text.ts";

/** Notes on the terminal; benchmark.md has all of them. */
const MOST_NOTES = 5;

/** The benchmark for a person at a terminal: what to do, the finding, its cost, then what each case says. */
export function benchmarkLines(benchmark: BenchmarkSummary, most: number): string[] {
  const [first, ...others] = benchmark.comparisons;
  if (first === undefined)
    return [...benchmark.notes.map((note) => `  ${note}`), ...missingLines(benchmark, most)];
  const shown = benchmark.notes.slice(0, Math.min(MOST_NOTES, most));
  return [
    ...(benchmark.decision === null ? [] : [`  ${benchmark.decision.text}`]),
    `  ${first.passRate.explanation}`,
    ...measureLines(first),
    ...others.flatMap((other) => [
      `  ${other.treatment} against ${other.baseline}: ${other.passRate.explanation}`,
    ]),
    ...adaptiveLines(benchmark),
    ...(benchmark.noise === null ? [] : [`  ${benchmark.noise.explanation}`]),
    ...noSignalLines(benchmark.cases, most),
    ...missingLines(benchmark, most),
    ...shown.map((note) => `  note: ${note}`),
    ...(benchmark.notes.length > shown.length
      ? [`  and ${plural(benchmark.notes.length - shown.length, "more note")} in benchmark.md`]
      : []),
  ];
}

/** The same for a reader in a hurry: what to do, the finding, and the cases that speak against it. */
export function briefBenchmarkLines(benchmark: BenchmarkSummary, most: number): string[] {
  const [first] = benchmark.comparisons;
  if (first === undefined) return benchmarkLines(benchmark, most);
  const against = benchmark.cases.filter(({ difference }) => difference === null || difference < 0);
  return [
    ...(benchmark.decision === null ? [] : [`  ${benchmark.decision.text}`]),
    `  ${first.passRate.explanation}`,
    ...(benchmark.noise === null ? [] : [`  ${benchmark.noise.explanation}`]),
    ...noSignalLines(against, most),
    ...missingLines(benchmark, most),
  ];
}

/** Each arm on the checks that the verdict is about, with what stands beside its rate. */
export function armLines({ arms }: Pick<BenchmarkSummary, "arms">): string[] {
  return arms.flatMap((arm) => [
    `  ${arm.arm}: ${comparedText(arm.compared)}; ${countsText(arm)}`,
    ...(arm.repeated === null ? [] : [`    ${repeatedText(arm.repeated)}`]),
  ]);
}

/** `checks passed 8 of 9 (89 % by case, 95 % interval 44 to 99 %, 3 cases), 2 not compared`. */
function comparedText(compared: ComparedChecks | null): string {
  if (compared === null) return "nothing to compare it with";
  const { checks, cases, leftOut } = compared;
  if (checks.total === 0) return leftOut === 0 ? "no checks scored" : `none of ${leftOut} checks compared`;
  const rest = leftOut === 0 ? "" : `, ${leftOut} not compared`;
  return `checks passed ${checks.passed} of ${checks.total} (${byCaseText(checks, cases)})${rest}`;
}

/** `89 % by case, 95 % interval 44 to 99 %, 3 cases`. */
export function byCaseText({ rate, low, high }: Rate, cases: number): string {
  const interval =
    low === null || high === null
      ? "one case, no interval"
      : `95 % interval ${Math.round(low * 100)} to ${percent(high)}, ${cases} cases`;
  return `${percent(rate ?? 0)} by case, ${interval}`;
}

/** One per cause and arm. */
export function causeLines({ arms }: Pick<BenchmarkSummary, "arms">): string[] {
  return arms.flatMap(({ arm, missing }) => missing.map((cause) => `${arm}: ${causeText(cause)}`));
}

function missingLines(benchmark: BenchmarkSummary, most: number): string[] {
  const lines = causeLines(benchmark);
  const hidden = lines.length - most;
  return [
    ...lines.slice(0, most).map((line) => `  ${line}`),
    ...(hidden > 0 ? [`  and ${plural(hidden, "more cause")} in benchmark.md`] : []),
  ];
}

/** `better`, or in a matrix `better (by itself)`. */
export function headline({ verdict, noise, comparisons: [first] }: BenchmarkSummary): string {
  if (first === undefined || first.passRate.lift === null) return verdict.toUpperCase();
  if (noise !== null) return `the same side twice, ${first.treatment} against ${first.baseline}`;
  const word = WORDS[verdict] ?? verdict;
  return `${word}, ${sideWords(first.treatment)} against ${sideWords(first.baseline)}`;
}

/** What a side of the comparison is called in a sentence. */
function sideWords(arm: string): string {
  return SIDES[arm] ?? arm;
}

const SIDES: Readonly<Record<string, string>> = {
  with_skill: "with the skill",
  without_skill: "without it",
  new_skill: "the new version",
  old_skill: "the old one",
  inline: "with its text in the prompt",
};

const WORDS: Partial<Record<BenchmarkVerdict, string>> = { worse: "WORSE", invalid: "NO VERDICT" };

/** Why a case says nothing for the skill; how it compares is in the table. */
/** What is true of several cases is said once, of as many as fit. */
function noSignalLines(cases: readonly CaseComparison[], most: number): string[] {
  const silent = cases.filter(({ noSignal }) => noSignal.length > 0);
  const groups = [...groupBy(silent, ({ noSignal }) => noSignal.join("; "))];
  const shown = groups.slice(0, most).map(([reason, alike]) => {
    const names = alike.slice(0, MOST_NAMES).map(({ caseId }) => caseId);
    const rest = alike.length - names.length;
    return `    ${names.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}: ${reason}`;
  });
  const hidden = groups.length - shown.length;
  return hidden === 0 ? shown : [...shown, `    and ${plural(hidden, "more finding")} in benchmark.md`];
}

/** More names than this are counted. */
const MOST_NAMES = 8;

export function measureLines(comparison: ArmComparison): string[] {
  const rows: readonly (readonly [string, MeasureChange | null, (value: number) => string])[] = [
    ["time", comparison.seconds, signedSeconds],
    ["tokens", comparison.tokens, (value) => `${sign(value)}${thousands(Math.abs(value))}`],
    ["cost", comparison.costUsd, (value) => `${sign(value)}${money(Math.abs(value))}`],
  ];
  return rows.flatMap(([name, change, show]) =>
    change === null ? [] : [`  ${name} per run: ${changeText(change, show)}`],
  );
}

/** An interval by case over fewer reaches from next to nothing to hundreds of times. */
const FEWEST_CASES = 3;

/** Costs are skewed, so the interval is that of the ratio; of the difference where there is no ratio. */
function changeText(change: MeasureChange, show: (value: number) => string): string {
  const { ratio, ratioInterval, interval, difference, cases } = change;
  const none = cases === 1 ? "one case, no interval" : "too few cases for an interval";
  const times = (value: number) => `x${value.toFixed(2)}`;
  if (ratio !== null) {
    const range =
      ratioInterval === null || cases < FEWEST_CASES
        ? none
        : `95 % interval ${times(ratioInterval.low)} to ${times(ratioInterval.high)}`;
    return `${show(difference)} (${times(ratio)}, ${range})`;
  }
  return interval === null || cases < FEWEST_CASES
    ? `${show(difference)} (${none})`
    : `${show(difference)} (95 % interval ${show(interval.low)} to ${show(interval.high)})`;
}

function adaptiveLines({ adaptive }: BenchmarkSummary): string[] {
  if (adaptive === null) return [];
  const { looks, maxLooks, maxRuns, runs, plannedRuns } = adaptive;
  const look = looks.length === maxLooks ? "the last look" : `look ${looks.length} of ${maxLooks}`;
  const made = `${looks.at(-1)?.runs ?? 0} of ${maxRuns} runs of each case on each side (${look})`;
  return [
    `  adaptive: ${endText(adaptive)} after ${made}: ${runs} runs in place of ${plannedRuns}; each look has its share of the error rate, so intervals are wider than without`,
  ];
}

function endText({ decidedAt, givenUpAt, stoppedBy }: AdaptiveBenchmark): string {
  if (decidedAt !== null) return "decided";
  if (stoppedBy !== null) return `stopped, because ${stoppedBy},`;
  return givenUpAt === null ? "undecided" : "given up, because more runs are unlikely to decide it,";
}

function sign(value: number): string {
  return value < 0 ? "-" : "+";
}
