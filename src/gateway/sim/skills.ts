import type { Ask } from "./ask.ts";

/** One line of the skill listing that a client gives to the model. */
export interface ListedSkill {
  readonly name: string;
  /** The SKILL.md it points at, where the listing says so. */
  readonly file: string | null;
}

/** The skills a request offers to the model, in the spelling of Claude Code, Codex, Gemini CLI or opencode. */
export function listedSkills(ask: Ask): readonly ListedSkill[] {
  const places = [
    ask.system,
    ...ask.entries.flatMap((entry) => (entry.kind === "user" ? reminders(entry.text) : [])),
    ...ask.tools.map((tool) => tool.description),
  ];
  const found = [dashed, rooted, tagged].flatMap((reader) => places.flatMap(reader));
  return found.filter((skill, index) => found.findIndex((other) => other.name === skill.name) === index);
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

function reminders(text: string): readonly string[] {
  return [...text.matchAll(/<system-reminder>([\s\S]*?)<\/system-reminder>/g)].map((match) => match[1] ?? "");
}

/** Claude Code: a sentence, then `- name: description` lines up to the end of the block. */
function dashed(text: string): readonly ListedSkill[] {
  const listing = /skills are available for use with the Skill tool:\s*\n([\s\S]*)/.exec(text)?.[1];
  if (listing === undefined) return [];
  const block = listing.split(/\n\n(?!- )/)[0] ?? "";
  return names(block).map((name) => ({ name, file: null }));
}

/** Codex: a table of roots and `- name: description (file: r0/name/SKILL.md)` lines. */
function rooted(text: string): readonly ListedSkill[] {
  const block = /<skills_instructions>([\s\S]*?)<\/skills_instructions>/.exec(text)?.[1];
  const listing = block === undefined ? null : /### Available skills\n([\s\S]*?)(?=\n### |$)/.exec(block);
  if (block === undefined || listing === null) return [];
  const roots = new Map([...block.matchAll(/^- `(\w+)` = `(.+)`$/gm)].map((match) => [match[1], match[2]]));
  return (listing[1] ?? "").split(/\n(?=- )/).flatMap((line) => {
    const name = names(line)[0];
    if (name === undefined) return [];
    const file = /\(file: ([^)]+)\)\s*$/.exec(line)?.[1] ?? null;
    const root = roots.get(file?.split("/")[0]);
    return [{ name, file: file !== null && root !== undefined ? file.replace(/^\w+/, () => root) : file }];
  });
}

/** Gemini CLI and opencode: XML. */
function tagged(text: string): readonly ListedSkill[] {
  const block = /<available_skills>([\s\S]*?)<\/available_skills>/.exec(text)?.[1] ?? "";
  return [...block.matchAll(/<skill>([\s\S]*?)<\/skill>/g)].flatMap((match) => {
    const name = /<name>([\s\S]*?)<\/name>/.exec(match[1] ?? "")?.[1]?.trim();
    const file = /<location>([\s\S]*?)<\/location>/.exec(match[1] ?? "")?.[1]?.trim();
    return name === undefined ? [] : [{ name, file: file?.replace(/^file:\/\//, "") ?? null }];
  });
}

function names(listing: string): readonly string[] {
  return [...listing.matchAll(/^- (.+?)(?::(?:\s|$)|$)/gm)].map((match) => (match[1] ?? "").trim());
}
