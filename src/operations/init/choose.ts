import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { nearest } from "../../lib/nearest.ts";
import { shownPath } from "../../lib/shown-path.ts";
import type { Machine } from "../../machine.ts";
import type { InitDoor } from "../init.ts";

/** The skill to begin with: the only one, the one a person names, else the first. */
export async function choose(
  skills: readonly [Skill, ...Skill[]],
  { cwd }: Pick<Machine, "cwd">,
  ask: NonNullable<InitDoor["ask"]>,
): Promise<Skill> {
  const [first] = skills;
  if (skills.length === 1) return first;
  const listed = skills.map(({ name, root }) => `  ${name}  ${shownPath(root, cwd)}\n`).join("");
  const answer = (await ask(`Skills without evals:\n${listed}Which one first?`, first.name)).trim();
  const found = skills.find(({ name }) => name === answer);
  if (found !== undefined) return found;
  const near = nearest(
    answer,
    skills.map(({ name }) => name),
  );
  throw new UserError(
    "init/unknown-skill",
    `there is no skill ${JSON.stringify(answer)} without evals here`,
    {
      hint:
        near === null ? `choose from ${skills.map(({ name }) => name).join(", ")}` : `did you mean ${near}?`,
    },
  );
}
