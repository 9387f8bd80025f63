import { hasErrors } from "../../domain/diagnostic.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadOptions } from "../../engine/load-options.ts";
import { loadTargets } from "../../load/load.ts";
import type { OpenDoor } from "../door.ts";

/** The skills there that have no evals yet. Throws a UserError where there is none. */
export async function skillsToStart(
  target: string,
  { machine, config, signal }: OpenDoor,
): Promise<readonly [Skill, ...Skill[]]> {
  const options = loadOptions({ evals: null, skill: null, plugins: config.plugins, signal }, machine);
  const { suites, diagnostics } = await loadTargets([target], options);
  const skills = suites.flatMap(({ skill, cases, files }) =>
    skill === null ? [] : [{ skill, isNew: cases.length === 0 && files.length === 0 }],
  );
  const [first, ...others] = skills.filter(({ isNew }) => isNew).map(({ skill }) => skill);
  if (first !== undefined) return [first, ...others];
  const [known] = skills;
  if (known !== undefined)
    throw new UserError(
      "init/nothing-to-do",
      `${said(skills.map(({ skill }) => skill.name))} evals already`,
      {
        hint: "assay check validates them, assay add records another case",
      },
    );
  throw new UserError("init/no-skill", `there is no skill at ${target}`, {
    hint: "a skill is a folder with a SKILL.md in it; pass the folder, or one above it",
    ...(hasErrors(diagnostics) && { diagnostics }),
  });
}

function said(names: readonly string[]): string {
  return names.length === 1 ? `${names[0] ?? ""} has` : `all ${names.length} skills have`;
}
