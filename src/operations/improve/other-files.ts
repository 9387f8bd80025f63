import { basename } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import { readSkillFiles } from "../compare/skill-text.ts";

const MOST_CHARS = 60_000;

/**
 * The other files of a skill that may be edited, by their path in it: text, none of its evals, no links, as many as a model
 * can be shown. `changed` are those of a version that differ from the skill's own.
 */
export async function otherFiles(
  skill: Skill,
  changed: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, string>> {
  if (skill.layout !== "directory") return new Map();
  const found = (await readSkillFiles(skill.root, skill.root))?.files ?? [];
  const files = new Map<string, string>();
  let left = MOST_CHARS;
  for (const { path, text } of found) {
    if (path === basename(skill.file) || text.length > left) continue;
    left -= text.length;
    files.set(path, changed[path] ?? text);
  }
  return files;
}
