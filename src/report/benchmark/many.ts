import type { Bounds, BenchmarkVerdict } from "../../domain/benchmark.ts";
import type { Summary } from "../../domain/summary.ts";
import { benjaminiHochberg } from "../../stats/multiple-testing.ts";
import { BENCHMARK_GATE } from "../gates.ts";
import { decisionAmong } from "./decision.ts";

/** One of several benchmarks of a call: a cell of the matrix, or one skill of many. */
export interface MatrixRow {
  readonly suite: string;
  readonly iteration: number;
  readonly harness: string;
  readonly model: string | null;
  readonly lift: number | null;
  readonly interval: Bounds | null;
  /** Of the interval and the verdict. */
  readonly alpha: number;
  readonly pValue: number | null;
  /** Benjamini and Hochberg's, over all rows. */
  readonly adjustedPValue: number | null;
  readonly verdict: BenchmarkVerdict;
  /** A better or worse that still stands among so many tests. */
  readonly holds: boolean;
}

/** The lifts side by side, with p-values that allow for their number. Only arms under test count, not `inline`. */
export function matrixOf(summaries: readonly Summary[]): MatrixRow[] {
  const rows = summaries.flatMap(({ suite, iteration, harness, model, benchmark }) => {
    const first = benchmark?.comparisons[0];
    if (benchmark === null || first === undefined || first.treatment === "inline") return [];
    const { lift, interval, pValue, alpha, verdict } = first.passRate;
    return [{ suite, iteration, harness, model, lift, interval, pValue, alpha, verdict }];
  });
  const adjusted = benjaminiHochberg(rows.map((row) => row.pValue));
  return rows.map((row, at) => {
    const adjustedPValue = adjusted[at] ?? null;
    const found = row.verdict === "better" || row.verdict === "worse";
    return { ...row, adjustedPValue, holds: found && adjustedPValue !== null && adjustedPValue <= row.alpha };
  });
}

/** Tells each benchmark how it stands among the others; a `worse` that does not stand is no missed gate. */
export function adjustForMany<T extends { readonly summary: Summary }>(reports: readonly T[]): T[] {
  const rows = matrixOf(reports.map(({ summary }) => summary));
  if (rows.length < 2) return [...reports];
  return reports.map((report) => {
    const { summary } = report;
    const row = rows.find((one) => one.suite === summary.suite && one.iteration === summary.iteration);
    if (row === undefined || summary.benchmark === null) return report;
    const { adjustedPValue, holds } = row;
    const found = row.verdict === "better" || row.verdict === "worse";
    const benchmark = {
      ...summary.benchmark,
      ...(found && !holds && { decision: decisionAmong(summary.benchmark, rows.length) }),
      among: { benchmarks: rows.length, adjustedPValue, holds },
    };
    if (row.verdict !== "worse" || holds) return { ...report, summary: { ...summary, benchmark } };
    const gates = summary.gates.map((gate) =>
      gate.name === BENCHMARK_GATE
        ? { ...gate, met: true, detail: `${gate.detail} Among ${rows.length} benchmarks this may be chance.` }
        : gate,
    );
    const failed = summary.verdict === "failed" && gates.every((gate) => gate.met);
    const verdict = failed ? "passed" : summary.verdict;
    return { ...report, summary: { ...summary, benchmark, gates, verdict } };
  });
}
