import type { Summary } from "../domain/summary.ts";
import { plural } from "../lib/plural.ts";
import { missedGatesText } from "./benchmark/decision.ts";
import { headline as benchmarkHeadline } from "./benchmark/benchmark-text.ts";
import { BENCHMARK_GATE } from "./gates.ts";
import { leftOutTotal } from "./missing.ts";
import { leftOutText } from "./run-counts.ts";

/** The verdict in words. What a benchmark found says more than that no gate stood in its way. */
export function headlineOf(summary: Summary): string {
  const { benchmark, gates } = summary;
  if (benchmark === null) return verdictWords(summary);
  if (summary.verdict === "unfinished") {
    if (!isAnythingMissing(summary)) return benchmarkHeadline({ ...benchmark, verdict: "invalid" });
    return `${benchmarkHeadline(benchmark)}; ${incompleteText(summary)}`;
  }
  const missed = gates.filter((gate) => !gate.met && gate.name !== BENCHMARK_GATE);
  return `${benchmarkHeadline(benchmark)}${missed.length === 0 ? "" : `; FAILED ${missedGatesText(missed)}`}`;
}

function verdictWords(summary: Summary): string {
  const { verdict, missing, remarks } = summary;
  const weak = remarks.filter(({ kind }) => kind === "weak-check").length;
  switch (verdict) {
    case "passed":
      return (
        unsettledText(summary) ??
        (weak > 0 ? `passed, but ${weak === 1 ? "a check proves" : `${weak} checks prove`} little` : "passed")
      );
    case "failed":
      return failedText(summary);
    case "unfinished":
      return incompleteText(summary);
    case "ungraded":
      return missing.ungradedCases === 0 ? NOT_GRADED_YET : "ran, but has no checks";
  }
}

/** `FAILED: 1 of 3 cases, 2 of 4 queries`. */
function failedText({ gates, triggers }: Summary): string {
  const queries = new Set(triggers?.queries.map(({ caseId }) => caseId));
  const missedOf = (isQuery: boolean, one: string, many: string) => {
    const those = gates.filter(({ caseId }) => caseId !== null && queries.has(caseId) === isQuery);
    const missed = those.filter(({ met }) => !met).length;
    return missed === 0 ? [] : [`${missed} of ${plural(those.length, one, many)}`];
  };
  const missed = [...missedOf(false, "case", "cases"), ...missedOf(true, "query", "queries")];
  return missed.length === 0 ? "FAILED" : `FAILED: ${missed.join(", ")}`;
}

/** `INCOMPLETE: 1 of 8 trials has no result (1 api)`. */
function incompleteText(summary: Summary): string {
  const { missing, trials } = summary;
  const left = leftOutTotal(missing);
  if (left > 0)
    return `INCOMPLETE: ${left} of ${plural(trials, "trial")} ${left === 1 ? "has" : "have"} no result (${leftOutText(missing)})`;
  const { unscoredChecks } = missing;
  if (unscoredChecks > 0)
    return `INCOMPLETE: ${plural(unscoredChecks, "check")} ${unscoredChecks === 1 ? "has" : "have"} no verdict`;
  const byChance = byChanceText(summary);
  return byChance === null ? "INCOMPLETE, some results are missing" : `UNSETTLED: ${byChance}`;
}

function isAnythingMissing({ missing, gates, triggers }: Summary): boolean {
  const isOpen = triggers !== null && gates.length > 0;
  return isOpen || leftOutTotal(missing) > 0 || missing.unscoredChecks > 0;
}

/** Nothing failed, and yet not all is known; null where it is. */
function unsettledText(summary: Summary): string | null {
  const byChance = byChanceText(summary);
  if (byChance === null) return null;
  return unsettledIn(summary) === summary.gates.length
    ? "undecided, every query may have been decided by chance"
    : `passed, but ${byChance}`;
}

/** `2 of 10 queries may have passed or failed by chance`; null where none may. */
function byChanceText(summary: Summary): string | null {
  const unsettled = unsettledIn(summary);
  if (unsettled === 0) return null;
  const queries = plural(summary.triggers?.queries.length ?? 0, "query", "queries");
  return `${unsettled} of ${queries} may have passed or failed by chance`;
}

function unsettledIn({ triggers }: Summary): number {
  return triggers?.queries.filter(({ status }) => status === "unsettled").length ?? 0;
}

const NOT_GRADED_YET = "ran without grading; grade it with assay grade";
