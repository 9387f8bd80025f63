import { accessSync, constants, existsSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { Skill } from "../domain/skill.ts";
import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import type { SystemPrompt } from "./harness.ts";

/**
 * What a client with a system-prompt channel is told: the case's own text, else an AGENTS.md beside the skill, else one
 * at the project's root, else the skill's body, which may be empty. An AGENTS.md that leads out of its place does not count.
 */
export function systemPromptOf(one: Case, skill: Skill, projectRoot: string | null): SystemPrompt {
  if (one.settings.systemPrompt !== null) return { source: "explicit", text: one.settings.systemPrompt };
  const besides = skill.layout === "directory" ? [skill.root] : [];
  for (const folder of [...besides, ...(projectRoot === null ? [] : [projectRoot])]) {
    const text = readContained(folder, "AGENTS.md");
    if (text !== null) return { source: "agents-md", text };
  }
  return { source: "skill-md", text: bodyOf(skill) };
}

function readContained(folder: string, name: string): string | null {
  if (!existsSync(join(folder, name))) return null;
  try {
    const real = realpathSync(join(folder, name));
    return real.startsWith(realpathSync(folder) + sep) ? readFileSync(real, "utf8") : null;
  } catch {
    return null;
  }
}

/** The file is looked at again because a run may start long after the skill was loaded. */
function bodyOf(skill: Skill): string {
  try {
    accessSync(skill.file, constants.R_OK);
    return skill.body;
  } catch (error) {
    throw new UserError(
      "run/no-system-prompt",
      `the system prompt of the skill ${skill.name} cannot be derived from ${skill.file}: ${(error as Error).message}`,
      { hint: 'restore the file, or set "system_prompt" in the eval file', cause: error },
    );
  }
}
