import type { Ask } from "../../wires/ask.ts";
import { reminders } from "../../wires/client-texts.ts";
import { type ListedSkill, skillsListedIn } from "../../wires/skill-listing.ts";

/** The skills a request offers to the model. */
export function listedSkills(ask: Ask): readonly ListedSkill[] {
  return skillsListedIn([
    ask.system,
    ...ask.entries.flatMap((entry) => (entry.kind === "user" ? reminders(entry.text) : [])),
    ...ask.tools.map((tool) => tool.description),
  ]);
}

/** The directory of a skill: said by the skill tool once it ran, or by the listing. */
export function skillDirectory(ask: Ask, name: string | null): string | null {
  const said = ask.entries
    .flatMap((entry) =>
      entry.kind === "call" ? [] : [...entry.text.matchAll(/Base directory for this skill: (.+)/g)],
    )
    .map((match) => (match[1] ?? "").trim())
    .filter((directory) => name === null || directory.split("/").at(-1) === name);
  const launched = said.at(-1);
  if (launched !== undefined) return launched;
  const listed = listedSkills(ask).find(
    (skill) => skill.file !== null && (name ?? skill.name) === skill.name,
  );
  return listed?.file?.replace(/\/[^/]*$/, "") ?? null;
}
