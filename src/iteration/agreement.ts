import { dirname } from "node:path";
import type { Iteration } from "../domain/iteration.ts";
import type { TriggerAgreement, TriggerSummary } from "../domain/triggers.ts";
import type { GateOptions } from "../report/gates.ts";
import { triggersOf } from "../report/triggers.ts";
import { readIteration } from "../store/iteration.ts";
import { listIterations } from "../store/iterations.ts";
import { readManifest } from "../store/manifest.ts";
import { agreementOf } from "../triggers/agreement.ts";

/** How a classifier and real agents agree: with the newest iteration of the other kind that asked the same queries. */
export async function findAgreement(
  root: string,
  { iteration, triggers }: { iteration: Iteration; triggers: TriggerSummary | null },
  options: GateOptions,
): Promise<TriggerAgreement | null> {
  if (triggers === null) return null;
  const isOther = (harness: string) => (harness === "classifier") !== (iteration.harness === "classifier");
  const siblings = (await listIterations(dirname(root))).toReversed();
  for (const { folder, number } of siblings.filter((sibling) => sibling.number !== iteration.number)) {
    const manifest = await readManifest(folder.manifest);
    if (manifest === null || !isOther(manifest.harness)) continue;
    const { state } = await readIteration(folder);
    // One that is still at work would be compared by halves.
    if (state.iteration === null || state.ended !== "complete") continue;
    const there = triggersOf({ ...state, iteration: state.iteration }, options);
    const found =
      there === null
        ? null
        : agreementOf(triggers, { ...there, harness: manifest.harness, iteration: number });
    if (found !== null) return found;
  }
  return null;
}
