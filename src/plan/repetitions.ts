import type { Case } from "../domain/suite.ts";

/** How often a case is run in each variant: `--runs`, then the case's own wish, then the command's default. */
export function repetitionsOf(
  one: Case,
  options: {
    readonly runs: number | null;
    readonly defaultRuns: { readonly task: number; readonly trigger: number };
  },
): number {
  if (options.runs !== null) return options.runs;
  if (one.kind === "trigger") return options.defaultRuns.trigger;
  return one.settings.variance?.runs ?? options.defaultRuns.task;
}
