import { CANARY_RUNS, isCanary } from "../domain/canary.ts";
import type { Case } from "../domain/suite.ts";

/** How often a case is run in each variant: `--runs`, then the case's own wish, then the command's default. */
export function repetitionsOf(
  one: Case,
  options: {
    readonly runs: number | null;
    readonly defaultRuns: { readonly task: number; readonly trigger: number };
    readonly runsOf?: ReadonlyMap<string, number>;
  },
): number {
  if (isCanary(one)) return CANARY_RUNS;
  const own = options.runsOf?.get(one.id);
  if (own !== undefined) return own;
  if (options.runs !== null) return options.runs;
  if (one.kind === "trigger") return options.defaultRuns.trigger;
  return one.settings.variance?.runs ?? options.defaultRuns.task;
}
