import { stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import type { SkillDraft } from "../../improve/draft/question.ts";
import { writeYaml } from "../../lib/document/write-yaml.ts";
import { lintSkill } from "../../load/lint/lint.ts";
import { parseSkill } from "../../load/skill.ts";
import type { Machine } from "../../machine.ts";

/** The SKILL.md to write for this path, which names it or its directory. Throws where it exists. */
export async function freeFile(path: string, { cwd }: Pick<Machine, "cwd">): Promise<string> {
  const file = basename(path) === "SKILL.md" ? path : join(path, "SKILL.md");
  if ((await stat(file).catch(() => null)) === null) return file;
  throw new UserError("improve/exists", `${relative(cwd, file)} already exists`, {
    hint: "leave out --from-evals to improve it",
  });
}

/** A skill is called as its directory is. */
export function skillNameFor(file: string): string {
  const name = basename(dirname(file));
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64) return name;
  throw new UserError("improve/bad-name", `${JSON.stringify(name)} cannot be the name of a skill`, {
    hint: "choose a directory name in lower-case letters, digits and single hyphens",
  });
}

export function skillFileText(name: string, { description, body }: SkillDraft): string {
  return `---\n${writeYaml({ name, description: description.trim() })}---\n\n${body.trim()}\n`;
}

/** What a client would refuse in this text. */
export async function brokenRules(file: string, text: string): Promise<readonly string[]> {
  const found = await lintSkill(parseSkill(file, text), { profile: "claude-code" });
  return found.filter(({ severity }) => severity === "error").map(({ message }) => message);
}
