import type { Plan } from "../domain/plan.ts";
import { countsAs } from "../domain/run.ts";
import type { NewestRun } from "../iteration/affected.ts";
import type { Then } from "../iteration/changes.ts";
import { earlierIterations } from "../iteration/choose.ts";
import { type Iterating, wantedOf } from "../iteration/iterate.ts";
import { keptProjectFiles } from "../iteration/keep-project.ts";
import { memo } from "../lib/memo.ts";
import { readIteration } from "../store/iteration.ts";
import { trialRef } from "../store/journal.ts";
import type { IterationFolder } from "../store/layout.ts";
import type { IterationState } from "../store/state.ts";

/** An iteration that a plan can go on with. */
export interface EarlierIteration {
  readonly number: number;
  readonly folder: IterationFolder;
  readonly state: IterationState;
  /** Lines of its journal that cannot be read. */
  readonly damagedLines: number;
}

/** The one that `--resume` goes on with; null: there is none. */
export async function lastIteration(plan: Plan, work: Iterating): Promise<EarlierIteration | null> {
  for await (const last of earlierIterations(work.results, wantedOf(plan, work)))
    return { ...last, ...(await readWithDamage(last.folder)) };
  return null;
}

async function readWithDamage(folder: IterationFolder) {
  const { state, diagnostics } = await readIteration(folder);
  return { state, damagedLines: diagnostics.length };
}

/** For each trial of the plan, by id, the newest run of it that counts; none where no iteration has one. */
export async function newestCounted(plan: Plan, work: Iterating): Promise<ReadonlyMap<string, NewestRun>> {
  const found = new Map<string, NewestRun>();
  for await (const one of earlierIterations(work.results, wantedOf(plan, work))) {
    const { state } = await readIteration(one.folder);
    for (const { id } of plan.trials) {
      const finished = state.runs.get(id);
      if (found.has(id) || finished === undefined || countsAs(finished.run.outcome) === "left-out") continue;
      found.set(id, { ...one, finished, start: state.madeUnder.get(trialRef(finished.trial)) ?? null });
    }
    if (found.size === plan.trials.length) break;
  }
  return found;
}

/** How things were at a start, with the project's files as far as they were kept. */
export function thenOf(results: string): (start: Then["start"]) => Promise<Then> {
  const filesOf = memo((digest: string) => keptProjectFiles(results, digest));
  return async (start) => ({ start, projectFiles: await filesOf(start.basis?.project ?? "") });
}
