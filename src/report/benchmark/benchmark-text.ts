import type {
  ArmComparison,
  ArmSummary,
  BenchmarkSummary,
  CaseComparison,
  MeasureChange,
} from "../../domain/benchmark.ts";
import { signedLikePython } from "../../stats/python-format.ts";
import { causeText } from "./causes.ts";
import { money, percent, signedSeconds, thousands } from "../text.ts";

/** The benchmark for a person at a terminal: finding, cost, then what each case says. */
export function benchmarkLines(benchmark: BenchmarkSummary, most: number): string[] {
  const [first, ...others] = benchmark.comparisons;
  if (first === undefined)
    return [...benchmark.notes.map((note) => `  ${note}`), ...missingLines(benchmark, most)];
  const shown = benchmark.notes.slice(0, most);
  return [
    `  ${first.passRate.explanation}`,
    ...measureLines(first),
    ...others.flatMap((other) => [
      `  ${other.treatment} against ${other.baseline}: ${other.passRate.explanation}`,
    ]),
    ...adaptiveLines(benchmark),
    ...(benchmark.noise === null ? [] : [`  ${benchmark.noise.explanation}`]),
    ...benchmark.cases.map((one) => `    ${caseText(one)}`),
    ...missingLines(benchmark, most),
    ...shown.map((note) => `  note: ${note}`),
    ...(benchmark.notes.length > shown.length
      ? [`  and ${benchmark.notes.length - shown.length} more notes in benchmark.md`]
      : []),
  ];
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
    ...(hidden > 0 ? [`  and ${hidden} more causes in benchmark.md`] : []),
  ];
}

/** `better`, or in a matrix `better (by itself)`. */
export function headline({ verdict, comparisons: [first] }: BenchmarkSummary): string {
  if (first === undefined || first.passRate.lift === null) return verdict.toUpperCase();
  const word = verdict === "worse" ? "WORSE" : verdict;
  return `${word}, ${first.treatment} against ${first.baseline}`;
}

function caseText({ caseId, name, treatment, baseline, difference, noSignal }: CaseComparison): string {
  const label = name === null || name === caseId ? caseId : `${caseId} (${name})`;
  const rate = (value: number | null) => (value === null ? "-" : percent(value));
  const moved = difference === null ? "" : ` (${signedLikePython(difference, 2).replace("-0.00", "+0.00")})`;
  const why = noSignal.length === 0 ? "" : `; ${noSignal.join("; ")}`;
  return `${label}: ${rate(baseline.passRate)} -> ${rate(treatment.passRate)}${moved}${why}`;
}

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

/** Costs are skewed, so the interval is that of the ratio; of the difference where there is no ratio. */
function changeText(change: MeasureChange, show: (value: number) => string): string {
  const { ratio, ratioInterval, interval, difference } = change;
  const times = (value: number) => `x${value.toFixed(2)}`;
  if (ratio !== null) {
    const range =
      ratioInterval === null
        ? "one case, no interval"
        : `95 % interval ${times(ratioInterval.low)} to ${times(ratioInterval.high)}`;
    return `${show(difference)} (${times(ratio)}, ${range})`;
  }
  return interval === null
    ? `${show(difference)} (one case, no interval)`
    : `${show(difference)} (95 % interval ${show(interval.low)} to ${show(interval.high)})`;
}

export function leftOutText({ trials, scored, leftOut, notRun, undecided }: ArmSummary): string {
  const parts = Object.entries(leftOut).map(([status, count]) => `${count} ${status}`);
  if (notRun > 0) parts.push(`${notRun} not run`);
  if (undecided > 0) parts.push(`${undecided} undecided`);
  return `${scored} of ${trials}${parts.length === 0 ? "" : ` (left out: ${parts.join(", ")})`}`;
}

function adaptiveLines({ adaptive }: BenchmarkSummary): string[] {
  if (adaptive === null) return [];
  const { decidedAt, givenUpAt, looks, maxLooks, runs, plannedRuns } = adaptive;
  const open = givenUpAt === null ? "undecided" : "given up, because more runs would hardly decide it,";
  const end = decidedAt === null ? open : `decided at look ${decidedAt}`;
  return [
    `  adaptive: ${end} after ${looks.length} of ${maxLooks} looks, ${runs} runs in place of ${plannedRuns}; each look has its share of the error rate, so intervals are wider than without`,
  ];
}

function sign(value: number): string {
  return value < 0 ? "-" : "+";
}
