import { resolve } from "node:path";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { readSkill } from "../../load/skill.ts";
import type { Machine } from "../../machine.ts";

/** The skill that evals are written for. */
export async function skillAt(target: string, { cwd }: Pick<Machine, "cwd">): Promise<Skill> {
  const problems: Diagnostic[] = [];
  const skill = await readSkill(resolve(cwd, target), (one) => void problems.push(one));
  if (skill !== null && /\.md$/i.test(skill.file)) return skill;
  throw new UserError("propose/no-skill", `there is no skill at ${target}`, {
    hint: "pass a SKILL.md, a skill's directory or a command file",
    diagnostics: problems,
  });
}
