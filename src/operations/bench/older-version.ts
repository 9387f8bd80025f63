import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { readSkill } from "../../load/skill.ts";
import { openRunRoot, type RunRoot } from "../../run/workspace/run-root.ts";
import type { Machine } from "../../machine.ts";
import { fetchVersion } from "./fetch-version.ts";

/** Finds the version to compare with; disposing of it removes what was fetched. */
export interface OlderVersions extends AsyncDisposable {
  readonly find: (skill: Skill) => Promise<Skill>;
}

/** `against` is a directory with the skill, or else a git ref of the repository that the skill lies in. */
export function olderVersions(against: string, { cwd, env }: Pick<Machine, "cwd" | "env">): OlderVersions {
  const fetched: RunRoot[] = [];
  const directory = resolve(cwd, against);
  return {
    async find(skill) {
      if (isVersion(directory)) return readVersion(directory, against);
      const root = await versionRoot();
      fetched.push(root);
      return readVersion(await fetchVersion(skill, against, { folder: root.path, env }), against);
    },
    async [Symbol.asyncDispose]() {
      for (const root of fetched.splice(0)) await root[Symbol.asyncDispose]();
    },
  };
}

/** A place as workspaces have it, so that the next run removes what a killed one left. */
function versionRoot(): Promise<RunRoot> {
  const candidates = [...new Set([tmpdir(), "/tmp", "/var/tmp"])];
  const token = `version-${randomBytes(4).toString("hex")}`;
  return openRunRoot({ candidates, token, pid: process.pid });
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
    hint: "name a directory with a SKILL.md, or a git ref in which the skill exists",
    diagnostics: problems,
  });
}
