import { DEFAULT_TRIGGER_RUNS, DEFAULT_TRIGGER_THRESHOLD, type TriggerSummary } from "../domain/triggers.ts";
import { summarizeTriggers } from "../triggers/summarize.ts";
import type { Evaluated } from "./evaluated.ts";
import type { GateOptions } from "./gates.ts";

/** By the rules that the iteration was run with, unless somebody now asks for another threshold. */
export function triggersOf(
  { iteration, cases, trials, runs }: Evaluated,
  { triggerThreshold }: GateOptions,
): TriggerSummary | null {
  const { triggerThreshold: declared, adaptive, runs: asked } = iteration.options;
  const threshold = triggerThreshold ?? (typeof declared === "number" ? declared : DEFAULT_TRIGGER_THRESHOLD);
  const planned = typeof asked === "number" ? asked : DEFAULT_TRIGGER_RUNS;
  return summarizeTriggers(
    { suite: iteration.suite, cases, trials, runs },
    { threshold, adaptiveRuns: adaptive === true ? planned : null },
  );
}
