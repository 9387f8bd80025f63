import type { Diagnostic } from "../../domain/diagnostic.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { BenchmarkReading } from "../read/benchmark.ts";
import type { BenchmarkRun } from "../read/benchmark-run.ts";
import { checksOf, gradingOf } from "./checks.ts";
import { type ForeignRun, NOTHING_KEPT, problemAt, type Report } from "./foreign.ts";
import { tokenNotes } from "./kept-run.ts";
import { unknownArm, variantNamed } from "./variant.ts";

/** The runs of a benchmark.json that stands alone: verdicts, and nothing that was kept of the runs. */
export function benchmarkRuns(
  benchmark: BenchmarkReading | null,
  report: Report,
  file: string,
): readonly ForeignRun[] {
  const byEval = groupBy(benchmark?.runs ?? [], evalOf);
  return [...byEval].flatMap(([evalId, runs]) => {
    const checks = checksOf(
      [],
      runs.map(({ expectations }) => expectations),
    );
    return runs.flatMap((run): ForeignRun[] => {
      const variant = variantNamed(run.configuration);
      if (variant === null) {
        report(unknownArm(file, run.configuration));
        return [];
      }
      const { timeSeconds } = run.result;
      return [
        {
          ...NOTHING_KEPT,
          evalId,
          name: run.evalName,
          prompt: null,
          variant,
          repetition: Math.max(1, run.runNumber),
          checks,
          grading:
            run.expectations.length === 0
              ? null
              : gradingOf(checks, run.expectations, { claims: [], evalFeedback: null }),
          durationMs: timeSeconds === null ? null : timeSeconds * 1000,
          notes: tokenNotes(run.result.tokens),
        },
      ];
    });
  });
}

/** Where benchmark.json counts otherwise than the gradings of the runs, which hold. */
export function againstBenchmark(
  runs: readonly ForeignRun[],
  benchmark: BenchmarkReading | null,
  file: string,
): readonly Diagnostic[] {
  return (benchmark?.runs ?? []).flatMap((told) => {
    const { passed, total } = told.result;
    const own = runs.find(
      (run) =>
        String(run.evalId) === String(told.evalId) &&
        run.variant === variantNamed(told.configuration) &&
        run.repetition === Math.max(1, told.runNumber),
    );
    const scored = own?.grading?.verdicts.filter(({ status }) => status !== "unscored") ?? [];
    if (passed === null || total === null || scored.length === 0) return [];
    const counted = scored.filter(({ status }) => status === "passed").length;
    if (counted === passed && scored.length === total) return [];
    const where = `eval ${told.evalId}, ${told.configuration}, run ${told.runNumber}`;
    return [
      problemAt(
        file,
        "other-count",
        `${where}: it says ${passed} of ${total}, the run's grading.json ${counted} of ${scored.length}; grading.json is used`,
      ),
    ];
  });
}

function evalOf({ evalId, evalName }: BenchmarkRun): string | number {
  return evalId ?? evalName ?? "eval";
}
