import type { Suite } from "../../domain/suite.ts";
import { DEFAULT_TRIGGER_RUNS } from "../../domain/triggers.ts";
import type { Plan } from "../../domain/trial.ts";
import { planTrials } from "../../plan/plan.ts";
import { EVERYTHING } from "../../plan/select.ts";
import { loadPrices } from "../../providers/prices.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { defaultConcurrency, machineCapacity } from "../../run/executors/local.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { harnessNames } from "../../engine/harness.ts";
import { readHistory } from "../../engine/history.ts";
import type { WhatToRun } from "../../cli/options/what-to-run.ts";

/**
 * The plans a run would work through, without looking for any agent: how many trials, and what they may take. The suite
 * has only the cases that were selected.
 */
export async function foresee(suite: Suite, what: WhatToRun, terminal: Terminal): Promise<readonly Plan[]> {
  const results = resultsFolder({ workspace: what.workspace }, terminal);
  const concurrency = what.concurrency ?? defaultConcurrency(machineCapacity());
  const prices = await loadPrices(new Date());
  const plans: Plan[] = [];
  for (const harness of harnessNames(suite, what)) {
    for (const model of what.models ?? [null]) {
      const history = await readHistory(results, { suite: suite.name, harness, model, concurrency });
      const priced = model ?? history.model;
      plans.push(
        planTrials(suite, {
          harness,
          model,
          variants: [suite.skill === null ? "without_skill" : "with_skill"],
          selection: EVERYTHING,
          runs: what.runs,
          defaultRuns: { task: what.fallback.runs ?? 1, trigger: DEFAULT_TRIGGER_RUNS },
          seed: 1,
          determinants: { client: "", options: "", project: "", skill: {}, cases: {} },
          history: {
            ...history,
            price:
              priced === null ||
              prices.priceOf(priced, { ...UNKNOWN_USAGE, inputTokens: 1, outputTokens: 1 }) === null
                ? null
                : ({ input, output }) =>
                    prices.priceOf(priced, { ...UNKNOWN_USAGE, inputTokens: input, outputTokens: output }) ??
                    0,
          },
        }),
      );
    }
  }
  return plans;
}
