import type { EvalEvent } from "../../domain/event.ts";
import type { Run } from "../../domain/run.ts";

/** An event with every field of today, also from a journal that was written before a field came. */
export function withEveryField(event: EvalEvent): EvalEvent {
  return event.kind === "trial-finished" ? { ...event, run: completeRun(event.run) } : event;
}

type Grown = "agentTime";

function completeRun(run: Omit<Run, Grown> & Partial<Pick<Run, Grown>>): Run {
  return { agentTime: null, ...run };
}
