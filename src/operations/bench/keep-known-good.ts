import type { Machine } from "../../machine.ts";
import { knownGoodOf } from "../../report/benchmark/known-good.ts";
import type { IterationReport } from "../../report/reporter.ts";
import { updateKnownGood } from "./known-good-file.ts";
import { isTested, knownGoodPath } from "./known-good-gate.ts";

/** Makes finished results what later benchmarks are held to. */
export async function keepKnownGood(reports: readonly IterationReport[], machine: Machine): Promise<void> {
  for (const { summary, evaluated } of reports) {
    if (!isTested(evaluated)) continue;
    if (summary.verdict === "unfinished") {
      machine.note(`${summary.suite} was not saved as the last known good, because runs are missing`);
      continue;
    }
    if (summary.benchmark?.decision?.action === "fix first") {
      machine.note(`${summary.suite} is not kept as the last known good. ${summary.benchmark.decision.text}`);
      continue;
    }
    const path = knownGoodPath(evaluated.iteration, machine);
    await updateKnownGood(path, summary.suite, knownGoodOf(evaluated));
    const failed = summary.verdict === "failed" ? ", although it failed" : "";
    machine.note(`${summary.suite} was saved as the last known good in ${path}${failed}`);
  }
}
