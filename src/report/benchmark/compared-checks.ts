import type { ArmSummary } from "../../domain/benchmark.ts";
import { mean, sum } from "../../stats/descriptive.ts";
import { rateByCluster } from "../../stats/rate-by-cluster.ts";
import { repeatedOf } from "../run-counts.ts";
import type { ArmSides } from "./compare-arms.ts";

/** One side on the checks that its verdict is about, so that the numbers beside a verdict are about the same. */
export function comparedChecks(
  sides: ArmSides,
  side: "treatment" | "baseline",
): Pick<ArmSummary, "compared" | "repeated"> {
  const cases = [...sides.scores]
    .filter(([, { treatment, baseline }]) => treatment.length > 0 && baseline.length > 0)
    .map(([caseId, scores]) => ({ caseId, runs: scores[side], checks: scores.checksCompared }));
  const total = sum(cases.map(({ runs, checks }) => runs.length * checks));
  const passed = sum(cases.map(({ runs, checks }) => Math.round(sum(runs) * checks)));
  const byCase = rateByCluster(cases.map(({ runs }) => ({ passed: mean(runs) ?? 0, total: 1 })));
  return {
    compared: {
      checks: { ...byCase, passed, total },
      cases: cases.length,
      leftOut: sides.decided[side] - total,
    },
    repeated: repeatedOf(
      new Map(
        cases.map(({ caseId, runs }) => [
          caseId,
          { runs: runs.length, passed: runs.filter((score) => score === 1).length },
        ]),
      ),
    ),
  };
}
