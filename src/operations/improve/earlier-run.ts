import { isCanary } from "../../domain/canary.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case } from "../../domain/suite.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { readIteration } from "../../store/iteration.ts";
import { listIterations } from "../../store/iterations.ts";
import { readManifest } from "../../store/manifest.ts";
import { remainingTrials, ungradedRuns } from "../../store/state.ts";
import type { FoundIteration } from "../find-run.ts";

/** What a version is run as; an earlier run of the very same is as good as a new one. */
export interface WantedRun {
  readonly skill: Skill;
  readonly cases: readonly Case[];
  readonly harness: string;
  readonly model: string | null;
}

export interface EarlierRun {
  readonly found: FoundIteration;
  /** Nothing of it would be run or graded again. */
  readonly isWhole: boolean;
  /** Continuing the last iteration of the suite continues it. */
  readonly isLast: boolean;
}

/** The newest iteration of this very skill with these cases; null: there is none. `root` holds the suite's iterations. */
export async function earlierRun(
  root: string,
  { skill, cases, harness, model }: WantedRun,
): Promise<EarlierRun | null> {
  const sha256 = await skillDigest(skill);
  const ids = cases.map(({ id }) => id).toSorted();
  let isLast = true;
  for (const { folder } of (await listIterations(root)).toReversed()) {
    const manifest = await readManifest(folder.manifest);
    if (manifest === null || manifest.harness !== harness || manifest.model !== model) continue;
    if (manifest.options["bench"] !== undefined) continue;
    if (manifest.skill?.path === skill.root && manifest.skill.sha256 === sha256) {
      const found = { folder, state: (await readIteration(folder)).state };
      if (isAbout(found, ids)) return { found, isWhole: isWhole(found), isLast };
    }
    isLast = false;
  }
  return null;
}

function isAbout({ state }: FoundIteration, ids: readonly string[]): boolean {
  if (state.iteration === null) return true;
  const asked = state.cases.filter((one) => !isCanary(one)).map(({ id }) => id);
  return JSON.stringify(asked.toSorted()) === JSON.stringify(ids);
}

function isWhole({ state }: FoundIteration): boolean {
  const isOpen = remainingTrials(state.trials, state).length > 0 || ungradedRuns(state).length > 0;
  return state.ended === "complete" && !isOpen;
}
