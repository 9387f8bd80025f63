import { resolve } from "node:path";
import { isOfInstalledSkill } from "../../domain/iteration.ts";
import type { Skill } from "../../domain/skill.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { readSkillDocument } from "../../load/skill.ts";
import { listIterations } from "../../store/iterations.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { readManifest } from "../../store/manifest.ts";
import type { OpenDoor } from "../door.ts";

/** A skill as it is on disk at this moment. */
export interface SkillNow {
  readonly skill: Skill;
  readonly sha256: string;
}

/** Null where none of the places holds a skill. */
export async function skillNow(
  places: readonly (string | null)[],
  { machine, signal }: Pick<OpenDoor, "machine" | "signal">,
): Promise<SkillNow | null> {
  for (const place of places) {
    const path = place === null ? null : resolve(machine.cwd, place);
    const skill = path === null ? null : ((await readSkillDocument(path, () => {}))?.skill ?? null);
    if (skill !== null) return { skill, sha256: await skillDigest(skill, { signal }) };
  }
  return null;
}

/** Where the newest iteration of the installed skill says that it lies; drafts and compared versions lie elsewhere. Null: none says. */
export async function skillOfResults({ root }: SuiteFolder): Promise<string | null> {
  for (const { folder } of (await listIterations(root)).toReversed()) {
    const manifest = await readManifest(folder.manifest).catch(() => null);
    if (manifest !== null && isOfInstalledSkill(manifest)) return manifest.skill?.path ?? null;
  }
  return null;
}
