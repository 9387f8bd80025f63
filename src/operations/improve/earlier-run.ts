import { isCanary } from "../../domain/canary.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case } from "../../domain/suite.ts";
import { skillDigest } from "../../iteration/digests.ts";
import type { Race } from "./race.ts";
import { objectAt } from "../../lib/loose.ts";
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
  /** Null: all repetitions are planned from the start. */
  readonly race: Race | null;
}

export interface EarlierVersionRun {
  readonly found: FoundIteration;
  /** Nothing of it would be run or graded again. */
  readonly isWhole: boolean;
  /** Continuing the last iteration of the suite continues it. */
  readonly isLast: boolean;
}

/** The newest iteration of this very skill with these cases; null: there is none. `root` holds the suite's iterations. */
export async function earlierRun(
  root: string,
  { skill, cases, harness, model }: Omit<WantedRun, "race">,
): Promise<EarlierVersionRun | null> {
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

/** Fresh runs of two versions that an earlier call began; null: there are none. */
export async function earlierPair(
  root: string,
  wanted: {
    readonly against: string;
    readonly version: string;
    readonly sha256: string;
    readonly harness: string;
    readonly model: string | null;
    readonly after: number;
  },
): Promise<Pick<EarlierVersionRun, "found" | "isWhole"> | null> {
  for (const { folder, number } of (await listIterations(root)).toReversed()) {
    if (number <= wanted.after) return null;
    const manifest = await readManifest(folder.manifest);
    const bench = objectAt(manifest?.options, "bench");
    if (manifest?.harness !== wanted.harness || manifest.model !== wanted.model) continue;
    if (bench["against"] !== wanted.against || bench["version"] !== wanted.version) continue;
    if (manifest.skill?.sha256 !== wanted.sha256) continue;
    const found = { folder, state: (await readIteration(folder)).state };
    return { found, isWhole: isWhole(found) };
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
