import { existsSync } from "node:fs";
import type { EarlierRun, ReuseRun } from "../../iteration/reuse-run.ts";
import { readIteration } from "../../store/iteration.ts";
import { listIterations } from "../../store/iterations.ts";
import type { SuiteFolder } from "../../store/layout.ts";

/** Older runs say little about today's model. */
const MOST_ITERATIONS = 20;

/** Baseline runs of earlier iterations by key: the newest run with the same key did, to the byte, what the trial would do. */
export async function reusableBaselines(suite: SuiteFolder, current: number): Promise<ReuseRun> {
  const known = new Map<string, EarlierRun>();
  const earlier = (await listIterations(suite.root)).filter(({ number }) => number < current);
  for (const { folder, number } of earlier.toReversed().slice(0, MOST_ITERATIONS)) {
    const { state } = await readIteration(folder);
    for (const { trial, run, folder: relative } of state.committed.values()) {
      if (trial.variant !== "without_skill" || known.has(trial.key)) continue;
      const root = folder.run(relative).root;
      if (!existsSync(root)) continue;
      known.set(trial.key, { run, folder: root, from: `iteration-${number}, made ${run.startedAt}` });
    }
  }
  return (trial) => (trial.variant === "without_skill" ? (known.get(trial.key) ?? null) : null);
}
