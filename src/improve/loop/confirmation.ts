import type {
  ArmCase,
  BenchmarkSummary,
  BenchmarkVerdict,
  Bounds,
  CaseComparison,
  MeasureChange,
} from "../../domain/benchmark.ts";
import { mean } from "../../stats/descriptive.ts";
import { worthSeeing } from "../../stats/these-cases.ts";
import type { CaseSplit } from "./split-cases.ts";

/** One version against the adopted one, with fresh runs of both on all cases: the only numbers that say something about it. */
export interface Confirmation {
  readonly version: number;
  readonly against: number;
  /** Null: it was begun and is not over. */
  readonly found: FreshResult | null;
  readonly adopted: boolean;
}

export interface FreshResult {
  readonly iteration: number;
  readonly verdict: BenchmarkVerdict;
  readonly rates: { readonly version: number; readonly against: number } | null;
  readonly lift: number | null;
  readonly interval: Bounds | null;
  readonly pValue: number | null;
  /** Cost of a run over that of a run of the other, by its interval; tokens where no price is known. Null: not known. */
  readonly costRatio: Bounds | null;
  /**
   * On the cases that were learnt from, and on those that were not and had something to gain; null where there are none.
   * `error`: the standard error of their difference, from how much runs vary; absent: not known.
   */
  readonly gains: { readonly train: number | null; readonly heldOut: number | null; readonly error?: number };
  /** All of it in sentences. */
  readonly explanation: string;
}

/** Null where nothing could be compared. */
export function foundBy(
  { comparisons: [comparison], cases }: Pick<BenchmarkSummary, "comparisons" | "cases">,
  { iteration, split }: { iteration: number; split: CaseSplit },
): FreshResult | null {
  if (comparison === undefined) return null;
  const { verdict, rates, lift, interval, pValue, explanation } = comparison.passRate;
  const gain = (some: readonly CaseComparison[]) => mean(some.flatMap(({ difference }) => difference ?? []));
  const train = cases.filter(({ caseId }) => split.train.includes(caseId));
  const heldOut = cases
    .filter(({ caseId }) => split.heldOut.includes(caseId))
    .filter((one) => one.baseline.passRate !== 1 || one.difference !== 0);
  return {
    iteration,
    verdict,
    rates: rates && { version: rates.treatment, against: rates.baseline },
    lift,
    interval,
    pValue,
    costRatio: ratioOf(comparison.costUsd) ?? ratioOf(comparison.tokens),
    gains: {
      train: gain(train),
      heldOut: gain(heldOut),
      error: Math.sqrt(variance(train) + variance(heldOut)),
    },
    explanation,
  };
}

/**
 * Whether the version takes the place of the other: it is better beyond chance, or, where equals are accepted, a loss of twenty
 * points is ruled out and it costs less.
 */
export function isAccepted({ verdict, interval, costRatio }: FreshResult, acceptEqual: boolean): boolean {
  if (verdict === "better") return true;
  if (!acceptEqual || verdict === "worse" || interval === null || costRatio === null) return false;
  return interval.low > -worthSeeing(0) && costRatio.high < 1;
}

/** Of the mean gain over these cases. */
function variance(cases: readonly CaseComparison[]): number {
  const ofArm = ({ stddev, scored }: ArmCase) => (stddev ?? WIDEST_STDDEV) ** 2 / Math.max(1, scored);
  const all = cases.map(({ treatment, baseline }) => ofArm(treatment) + ofArm(baseline));
  return all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length) ** 2;
}

/** Of a share, where a single run does not tell. */
const WIDEST_STDDEV = 0.5;

/** How much less the held-out cases gained than those that were learned from, beyond chance; null: no reason to worry. */
export function overfitting({ gains: { train, heldOut, error = 0 } }: FreshResult): string | null {
  if (train === null || heldOut === null || train <= 0) return null;
  if (train - heldOut < Math.max(WORTH_A_WARNING, SELDOM * error)) return null;
  return `the cases it was improved on gained ${points(train)}, the held-out ones ${points(heldOut)}: it may have learned the cases rather than the job`;
}

const WORTH_A_WARNING = 0.1;
/** Standard errors that chance passes once in twenty times. */
const SELDOM = 1.645;

function points(gain: number): string {
  return `${gain < 0 ? "-" : "+"}${Math.abs(Math.round(gain * 100))} points`;
}

/** Usage varies with ids and paths, so more than two digits say nothing. */
function ratioOf(change: MeasureChange | null): Bounds | null {
  const interval = change?.ratioInterval ?? null;
  const hundredths = (value: number) => Math.round(value * 100) / 100;
  return interval && { low: hundredths(interval.low), high: hundredths(interval.high) };
}
