import type { Plan } from "../domain/plan.ts";
import type { Then } from "../iteration/changes.ts";
import { earlierIterations } from "../iteration/choose.ts";
import { type Iterating, wantedOf } from "../iteration/iterate.ts";
import { keptProjectFiles } from "../iteration/keep-project.ts";
import { readIteration } from "../store/iteration.ts";
import type { IterationFolder } from "../store/layout.ts";
import type { IterationState } from "../store/state.ts";

/** An iteration that a plan can go on with, or take runs over from. */
export interface EarlierIteration {
  readonly number: number;
  readonly folder: IterationFolder;
  readonly state: IterationState;
}

/** The one that `--resume` goes on with; null: there is none. */
export async function lastIteration(plan: Plan, work: Iterating): Promise<EarlierIteration | null> {
  const [last] = await earlierIterations(work.results, wantedOf(plan, work));
  return last === undefined ? null : { ...last, state: (await readIteration(last.folder)).state };
}

/** The newest one that was worked through; with `resume` other than the one that is gone on with. */
export async function lastComplete(plan: Plan, work: Iterating): Promise<EarlierIteration | null> {
  const found = await earlierIterations(work.results, wantedOf(plan, work));
  for (const one of work.resume ? found.slice(1) : found) {
    const { state } = await readIteration(one.folder);
    if (state.ended === "complete") return { ...one, state };
  }
  return null;
}

/** How things were at a start, with the project's files as far as they were kept. */
export function thenOf(results: string): (start: Then["start"]) => Promise<Then> {
  const known = new Map<string, Promise<Then["projectFiles"]>>();
  return async (start) => {
    const digest = start.basis?.project ?? "";
    const files = known.get(digest) ?? keptProjectFiles(results, digest);
    known.set(digest, files);
    return { start, projectFiles: await files };
  };
}
