import type { SkillFiles } from "../../compare/analyze/skill-files.ts";
import type { Contender } from "../../compare/pair.ts";
import type { ComparedSides } from "./compared-sides.ts";

/** Words by which an output would betray its version: names, paths, and the version that a skill says it is. */
export function markersOf({ versions, skills, pairs }: ComparedSides): readonly string[] {
  const own = (who: Contender): readonly string[] => [
    versions[who],
    ...(skills[who] === null ? [] : [skills[who].path, ...declaredVersions(skills[who])]),
    ...pairs.map((pair) => pair[who].name),
  ];
  const [first, second] = [own("first"), own("second")];
  // What both sides have tells nothing.
  return [
    ...first.filter((marker) => !second.includes(marker)),
    ...second.filter((marker) => !first.includes(marker)),
  ];
}

/** `version:` of the frontmatter, also below `metadata:`. */
function declaredVersions({ files }: SkillFiles): readonly string[] {
  const frontmatter = /^---\r?\n(.*?)\r?\n---/s.exec(files[0]?.text ?? "")?.[1] ?? "";
  return [...frontmatter.matchAll(/^\s*version:\s*["']?([^"'\s#]+)/gim)].map(([, version = ""]) => version);
}
