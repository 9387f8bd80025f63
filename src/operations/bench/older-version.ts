import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { type Skill, skillPath } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { readSkill } from "../../load/skill.ts";
import { openRunFolder } from "../../engine/run-folder.ts";
import type { Machine } from "../../machine.ts";
import type { OwnedFolder } from "../../run/workspace/owned-folder.ts";
import { fetchVersion } from "./fetch-version.ts";

/** Finds the version to compare with; disposing of it removes what was fetched. */
export interface OlderVersions extends AsyncDisposable {
  readonly find: (skill: Skill) => Promise<Skill>;
}

/** `against` is a directory with the skill, one with the project it is in, or else a git ref of the skill's repository. */
export function olderVersions(against: string, { cwd, env }: Pick<Machine, "cwd" | "env">): OlderVersions {
  const fetched: OwnedFolder[] = [];
  const directory = resolve(cwd, against);
  return {
    async find(skill) {
      if (isVersion(directory)) return readVersion(directory, against);
      const there = placeIn(directory, { skill, cwd });
      if (there !== null && isVersion(there)) return readVersion(there, against);
      const root = await openRunFolder("version");
      fetched.push(root);
      return readVersion(await fetchVersion(skill, against, { folder: root.path, env }), against);
    },
    async [Symbol.asyncDispose]() {
      for (const root of fetched.splice(0)) await root[Symbol.asyncDispose]();
    },
  };
}

/** Where the skill is in another copy of the project one is in; null: it is not of this project. */
function placeIn(
  project: string,
  { skill, cwd }: { readonly skill: Skill; readonly cwd: string },
): string | null {
  const way = relative(cwd, skillPath(skill));
  return way === "" || way.startsWith("..") || isAbsolute(way) ? null : join(project, way);
}

/** A directory that only shares its name with a ref is no version. */
function isVersion(path: string): boolean {
  return existsSync(path.endsWith(".md") ? path : join(path, "SKILL.md"));
}

/** Throws where there is no skill. */
export async function readVersion(path: string, against: string): Promise<Skill> {
  const problems: Diagnostic[] = [];
  const skill = await readSkill(path, (problem) => problems.push(problem));
  if (skill !== null) return skill;
  throw new UserError("bench/no-version", `there is no skill in ${against}`, {
    hint: "pass a directory with a SKILL.md, or a git ref that has the skill",
    diagnostics: problems,
  });
}
