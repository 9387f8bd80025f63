import { DEFAULT_TRIGGER_THRESHOLD, triggerRunsIn, type TriggerSummary } from "../domain/triggers.ts";
import { summarizeTriggers } from "../triggers/summarize.ts";
import type { Evaluated } from "./evaluated.ts";
import type { GateOptions } from "./gates.ts";

/** By the rules that the iteration was run with, unless somebody now asks for another threshold. */
export function triggersOf(
  { iteration, cases, trials, runs }: Evaluated,
  { triggerThreshold }: GateOptions,
): TriggerSummary | null {
  const { triggerThreshold: declared, adaptive } = iteration.options;
  const threshold = triggerThreshold ?? (typeof declared === "number" ? declared : DEFAULT_TRIGGER_THRESHOLD);
  const { first, most } = triggerRunsIn(iteration.options);
  return summarizeTriggers(
    { suite: iteration.suite, cases, trials, runs },
    { threshold, firstRuns: first, adaptiveRuns: adaptive === true ? most : null },
  );
}
