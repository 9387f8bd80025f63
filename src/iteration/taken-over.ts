import { existsSync } from "node:fs";
import type { Plan } from "../domain/plan.ts";
import { readIteration } from "../store/iteration.ts";
import type { SuiteFolder } from "../store/layout.ts";
import type { ReuseRun } from "./reuse-run.ts";

/** The runs that a plan takes over from an earlier iteration; null: it takes none. */
export async function takenOver(suite: SuiteFolder, { repetition }: Plan): Promise<ReuseRun | null> {
  const wanted = repetition?.takeOver ?? null;
  if (wanted === null) return null;
  const folder = suite.iteration(wanted.iteration);
  const { state } = await readIteration(folder);
  const ids = new Set(wanted.trials);
  return ({ id }) => {
    const earlier = ids.has(id) ? state.runs.get(id) : undefined;
    const root = earlier === undefined ? null : folder.run(earlier.folder).root;
    if (earlier === undefined || root === null || !existsSync(root)) return null;
    return {
      run: earlier.run,
      folder: root,
      from: `iteration-${wanted.iteration}, made ${earlier.run.startedAt}`,
    };
  };
}
