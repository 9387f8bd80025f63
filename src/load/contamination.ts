import type { Diagnostic } from "../domain/diagnostic.ts";
import { skillContent } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import { knownContent, matchAny } from "../lib/content-match.ts";

/** Files of cases that are part of the skill: a baseline with them would not be without it. */
export async function contaminationNotes({ skill, cases }: Suite): Promise<readonly Diagnostic[]> {
  if (skill === null || cases.every(({ files }) => files.length === 0)) return [];
  const { root, ...content } = skillContent(skill);
  const known = await knownContent(root, content);
  const notes: Diagnostic[] = [];
  for (const one of cases) {
    for (const file of one.files) {
      const found = await matchAny(file, known);
      if (found === null) continue;
      notes.push({
        severity: "note",
        code: "load/contaminated-baseline",
        message: `the file ${file.target} of case ${one.id} contains the skill's ${found}, so its baseline will not count`,
        at: one.at,
        hint: "use a file that is not part of the skill",
      });
    }
  }
  return notes;
}
