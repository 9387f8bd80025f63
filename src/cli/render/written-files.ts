import { isHeld, type IterationReport } from "../../operations/reporters.ts";
import { plural } from "../../operations/text.ts";

/** `3 passed, 1 failed`, over the checks of everything but baselines, for a person whose report is in a file. */
export function shortResult(reports: readonly IterationReport[]): string {
  const tested = reports
    .flatMap(({ summary, evaluated }) =>
      summary.cases.filter(({ variant }) => isHeld(variant, evaluated.iteration)),
    )
    .flatMap(({ trials }) => trials);
  const sum = (key: "passed" | "failed" | "unscored") =>
    tested.reduce((total, trial) => total + trial[key], 0);
  const missing = reports.reduce((total, { summary }) => total + missingTrials(summary), 0);
  if (tested.length + missing === 0) return "nothing was run";
  const parts = [`${sum("passed")} passed`, `${sum("failed")} failed`];
  if (sum("unscored") > 0) parts.push(`${sum("unscored")} unscored`);
  if (missing > 0) parts.push(`${plural(missing, "trial")} without a result`);
  return parts.join(", ");
}

function missingTrials({ missing: { leftOut, notRun } }: IterationReport["summary"]): number {
  return notRun + Object.values(leftOut).reduce((sum, count) => sum + count, 0);
}
