import { existsSync } from "node:fs";
import type { Plan } from "../domain/plan.ts";
import { readIteration } from "../store/iteration.ts";
import type { SuiteFolder } from "../store/layout.ts";
import type { EarlierRun, ReuseRun } from "./reuse-run.ts";

/** The runs that a plan takes over from earlier iterations; null: it takes none. */
export async function takenOver(suite: SuiteFolder, { repetition }: Plan): Promise<ReuseRun | null> {
  const wanted = repetition?.takeOver ?? [];
  if (wanted.length === 0) return null;
  const runs = new Map<string, EarlierRun>();
  for (const { iteration, trials } of wanted) {
    const folder = suite.iteration(iteration);
    const { state } = await readIteration(folder);
    for (const id of trials) {
      const earlier = state.runs.get(id);
      if (earlier === undefined) continue;
      const from = `iteration-${iteration}, made ${earlier.run.startedAt}`;
      runs.set(id, { run: earlier.run, folder: folder.run(earlier.folder).root, from });
    }
  }
  return ({ id }) => {
    const earlier = runs.get(id);
    return earlier !== undefined && existsSync(earlier.folder) ? earlier : null;
  };
}
