import type { OfferedSkill } from "./skills.ts";

/** What the model is told before anything else: where it is, which skills there are, and what the case adds. */
export function systemText(
  workspace: string,
  skills: readonly OfferedSkill[],
  added: string | null = null,
): string {
  return [
    "You are an agent that works on the files of a workspace with the tools you are given.",
    "Nobody can answer questions while you work: where something is open, decide sensibly, say so, and go on until the task is done. Then answer the user in plain text, or with the Submit tool.",
    `Working directory: ${workspace}`,
    ...(skills.length === 0 ? [] : [listing(skills)]),
    ...(added === null ? [] : [added]),
  ].join("\n\n");
}

function listing(skills: readonly OfferedSkill[]): string {
  const entries = skills.map(
    ({ name, description, file }) =>
      `<skill>\n<name>${escaped(name)}</name>\n<description>${escaped(description)}</description>\n<location>${escaped(file)}</location>\n</skill>`,
  );
  return [
    "Skills are instructions for particular kinds of work. When the user's task fits the description of one, load it with the Skill tool before you do anything else, and follow it.",
    `<available_skills>\n${entries.join("\n")}\n</available_skills>`,
  ].join("\n\n");
}

/** A description must not end the listing. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
