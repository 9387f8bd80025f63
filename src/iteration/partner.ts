import { dirname } from "node:path";
import type { Evaluated } from "../report/evaluated.ts";
import { readIteration } from "../store/iteration.ts";
import { listIterations } from "../store/iterations.ts";
import { readManifest } from "../store/manifest.ts";

/** What an `inline` arm is compared with: the iteration of its group that has the other arms on the same agent and model. */
export async function findPartner(
  root: string,
  { iteration, trials }: Pick<Evaluated, "iteration" | "trials">,
): Promise<Evaluated | null> {
  if (iteration.group === null || !trials.every((trial) => trial.variant === "inline")) return null;
  for (const { folder, number } of (await listIterations(dirname(root))).toReversed()) {
    const manifest = await readManifest(folder.manifest);
    if (number === iteration.number || manifest?.group !== iteration.group) continue;
    if (manifest.harness !== iteration.harness || manifest.model !== iteration.model) continue;
    const { state } = await readIteration(folder);
    if (state.iteration === null || !state.trials.some((trial) => trial.variant === "without_skill"))
      continue;
    return { ...state, iteration: state.iteration };
  }
  return null;
}
