import { realpath } from "node:fs/promises";
import type { Skill } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import { memo } from "../lib/memo.ts";
import { discoverMany } from "../load/discover-many.ts";
import { projectRootFinder } from "../load/project-root.ts";
import { readSkillDocument } from "../load/skill.ts";

/** Finds the skills of a project that are not the one under test; looks through each project once. */
export function otherSkillsFinder(
  home: string | null,
): (suite: Suite, projectRoot: string | null) => Promise<readonly Skill[]> {
  const skillsOf = memo((root: string) => skillsBelow(root, home));
  return async ({ skill, cases }, projectRoot) => {
    if (skill === null || projectRoot === null || !cases.some((one) => one.kind === "trigger")) return [];
    const own = await realpath(skill.file).catch(() => skill.file);
    const others = (await skillsOf(projectRoot)).filter(({ file }) => file !== own);
    const name = skill.name.toLowerCase();
    return others.filter((other) => other.name.toLowerCase() !== name);
  };
}

/** The skills in a folder, by name, each once; what is wrong with them is told when they are under test themselves. */
export async function skillsBelow(root: string, home: string | null): Promise<readonly Skill[]> {
  const report = () => {};
  const subjects = await discoverMany(root, { findProjectRoot: projectRootFinder(home), report });
  const byName = new Map<string, Skill>();
  for (const { skillFile } of subjects) {
    if (skillFile === null) continue;
    const document = await readSkillDocument(skillFile, report);
    if (document === null) continue;
    const file = await realpath(document.skill.file).catch(() => document.skill.file);
    const key = document.skill.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, { ...document.skill, file });
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
