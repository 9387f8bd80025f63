import { countsAs } from "../domain/run.ts";
import type { CaseSummary, Missing } from "../domain/summary.ts";
import { leftOutTotal } from "./missing.ts";

/** Results that a broken set-up produces more often than a skill does: said out loud instead of shown as numbers. */
export function alarmsOf(cases: readonly CaseSummary[], missing: Missing): string[] {
  const trials = cases.flatMap((one) => one.trials);
  const alarms: string[] = [];
  const cut = missing.notRun + (missing.leftOut["interrupted"] ?? 0);
  if (cut < trials.length && leftOutTotal(missing) >= trials.length) {
    alarms.push(`no trial produced a result; see: assay show ${cases[0]?.caseId ?? ""}`.trimEnd());
  }
  const failed = trials.filter((trial) => trial.outcome.status !== "completed" && trial.meetsGate !== null);
  if (failed.length > 1 && failed.length === trials.length) {
    alarms.push(
      `every trial ended as ${failed[0]?.outcome.status ?? "failed"}: the agent never finished its work`,
    );
  }
  const baselines = cases.filter((one) => one.variant === "without_skill" && isHeldToChecks(one));
  if (baselines.length > 0 && baselines.every((one) => one.checks.rate === 1)) {
    alarms.push("every check passes without the skill too: these cases cannot show what the skill adds");
  }
  return alarms;
}

/** Also where no run of it could be counted: such a case might still show what the skill adds. */
function isHeldToChecks({ checks, trials }: CaseSummary): boolean {
  return checks.total > 0 || trials.some(({ outcome }) => countsAs(outcome) === "left-out");
}
