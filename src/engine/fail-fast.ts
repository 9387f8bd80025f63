import type { EvalEvent } from "../domain/event.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { Case } from "../domain/suite.ts";
import { failsCase, type GateOptions } from "../report/gates.ts";
import type { Pace } from "../run/pace.ts";

/** Hears every event and stops the pace with the first trial that fails its case. */
export function failFast(
  pace: Pace,
  { options, note }: { options: GateOptions; note: (note: string) => void },
): (event: EvalEvent, iteration: Iteration) => void {
  const cases = new Map<string, Case>();
  const keyOf = ({ suite }: Iteration, id: string): string => JSON.stringify([suite, id]);
  return (event, iteration) => {
    if (event.kind === "iteration-started")
      for (const one of event.cases) cases.set(keyOf(iteration, one.id), one);
    if (event.kind !== "verdicts-recorded" || pace.state === "stopping") return;
    const { caseId, variant } = event.trial;
    const one = cases.get(keyOf(iteration, caseId));
    const held = { variant, verdicts: event.grading.verdicts };
    if (one === undefined || !failsCase(one, held, { iteration, options })) return;
    note(`--fail-fast: ${iteration.suite} ${caseId} failed, so no new trial starts`);
    pace.stop("failure");
  };
}
