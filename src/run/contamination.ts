import { type Skill, skillContent } from "../domain/skill.ts";
import type { Case } from "../domain/suite.ts";
import type { Variant } from "../domain/trial.ts";
import { type KnownContent, knownContent, matchAny } from "../lib/content-match.ts";

/** Why a baseline would be none: a file that the case hands to the agent is part of the skill. Null: it is clean. */
export async function contamination(
  { files }: Case,
  skill: Skill | null,
  variant: Variant,
): Promise<string | null> {
  if (skill === null || variant !== "without_skill" || files.length === 0) return null;
  const known = await contentOf(skill);
  for (const file of files) {
    const found = await matchAny(file, known);
    if (found !== null) return `the baseline is given the skill's ${found} as the file ${file.target}`;
  }
  return null;
}

const remembered = new WeakMap<Skill, Promise<KnownContent>>();

function contentOf(skill: Skill): Promise<KnownContent> {
  const { root, ...content } = skillContent(skill);
  const known = remembered.get(skill) ?? knownContent(root, content);
  remembered.set(skill, known);
  return known;
}
