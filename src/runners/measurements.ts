import type { ArmComparison } from "../domain/benchmark.ts";
import { countsAs } from "../domain/run.ts";
import { decidedChecks } from "../domain/verdict.ts";
import type { Benchmarks } from "../operations/bench.ts";
import { type MeasuredQuery, NoResultError, settleRate, type TestRun } from "../operations/testing.ts";
import { percent, plural, points } from "../operations/text.ts";
import type { Matched } from "./matched.ts";
import type { RateAsked } from "./rate-asked.ts";

/** Does the case pass at least so often, as far as these runs can tell? Runs without a verdict count for neither side. */
export function passesOften(runs: readonly TestRun[], { rate, confidence }: RateAsked): Matched {
  const states = runs.map(stateOf);
  const count = (state: RunState) => states.filter((one) => one === state).length;
  const [passed, unknown] = [count("passed"), count("unknown")];
  const asked = { runs: runs.length, rate, confidence };
  const settled = settleRate({ ...asked, passed });
  const atBest = settleRate({ ...asked, passed: passed + unknown });
  const { interval } = settled;
  const range =
    interval === null
      ? ""
      : ` (${percent(interval.low)} to ${percent(atBest.interval?.high ?? 1)} with ${percent(confidence)} confidence each way)`;
  const seen = `${passed} of ${plural(runs.length, "run")} passed${range}`;
  const missing = unknown === 0 ? "" : `; ${plural(unknown, "run")} gave no verdict`;
  if (settled.status === atBest.status && settled.status !== "unsettled") {
    const means = settled.status === "passed" ? "at least" : "less than";
    return { pass: settled.status === "passed", message: `${seen}: ${means} ${percent(rate)}${missing}` };
  }
  const more = settled.runsToPass;
  const way = more === null ? "" : `; ${more} runs would settle it if all others pass`;
  throw new NoResultError(
    "unsettled",
    `unsettled, which is no pass and no failure: ${seen}${missing}; asked for ${percent(rate)}${way}`,
  );
}

type RunState = "passed" | "failed" | "unknown";

/** As a gate would have it: every check must hold, and a run that broke off has failed. */
function stateOf({ run, grading, case: one }: TestRun): RunState {
  const counts = countsAs(run.outcome);
  if (counts !== "graded") return counts === "failed" ? "failed" : "unknown";
  if (one.checks.length === 0) return "unknown";
  const verdicts = grading?.verdicts ?? [];
  if (verdicts.some(({ status }) => status === "failed")) return "failed";
  return decidedChecks(verdicts).size === one.checks.length ? "passed" : "unknown";
}

/** Did the query make agents take the skill up? */
export function fired({ query, invalid, status, shouldTrigger, repeated, reason }: MeasuredQuery): Matched {
  const seen = `fired in ${repeated.fired} of ${plural(repeated.runs, "run")}: ${JSON.stringify(query)}`;
  if (invalid !== null) throw new NoResultError("invalid", `no result: ${invalid}`);
  if (status === "unscored") throw new NoResultError("unscored", `no result: ${reason}`);
  if (status === "unsettled")
    throw new NoResultError("unsettled", `unsettled, which is no pass and no failure: ${seen}. ${reason}`);
  return { pass: (status === "passed") === shouldTrigger, message: seen };
}

/** Is the skill better than what it is compared with, on these cases? */
export function beats({ reports, matrix, failures }: Benchmarks, baseline: string): Matched {
  const [failure] = failures;
  if (failure !== undefined) throw failure.error;
  const [row] = matrix;
  const comparison: ArmComparison | undefined = reports[0]?.summary.benchmark?.comparisons[0];
  if (row === undefined || comparison === undefined)
    throw new NoResultError("invalid", "no result: nothing was compared");
  const { verdict, lift, interval } = row;
  const range = interval === null ? "" : ` (${points(interval.low)} to ${points(interval.high)})`;
  const seen = `${lift === null ? "no lift" : `${points(lift)} points`}${range} against ${baseline}, on ${plural(comparison.passRate.cases, "case")}: ${verdict}`;
  if (verdict === "better") return { pass: true, message: seen };
  if (verdict === "worse" || verdict === "no difference seen") return { pass: false, message: seen };
  const why = verdict === "invalid" ? "no result" : "unsettled, which is no pass and no failure";
  throw new NoResultError(
    verdict === "invalid" ? "invalid" : "unsettled",
    `${why}: ${seen}. ${comparison.passRate.explanation}`,
  );
}
