import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { readSkill } from "../../load/skill.ts";
import type { Terminal } from "../terminal.ts";

const run = promisify(execFile);

/** Finds the version to compare with; disposing of it removes what was fetched. */
export interface OlderVersions extends AsyncDisposable {
  readonly find: (skill: Skill) => Promise<Skill>;
}

/** `against` is a directory with the skill, or else a git ref of the repository that the skill lies in. */
export function olderVersions(against: string, { cwd, env }: Pick<Terminal, "cwd" | "env">): OlderVersions {
  const fetched: string[] = [];
  const directory = resolve(cwd, against);
  return {
    async find(skill) {
      if (isVersion(directory)) return readVersion(directory, against);
      const folder = await mkdtemp(join(tmpdir(), "assay-version-"));
      fetched.push(folder);
      return readVersion(await fetchVersion(skill, against, { folder, env }), against);
    },
    async [Symbol.asyncDispose]() {
      for (const folder of fetched) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A directory that only shares its name with a ref is no version. */
function isVersion(path: string): boolean {
  return existsSync(path.endsWith(".md") ? path : join(path, "SKILL.md"));
}

async function readVersion(path: string, against: string): Promise<Skill> {
  const problems: Diagnostic[] = [];
  const skill = await readSkill(path, (problem) => problems.push(problem));
  if (skill !== null) return skill;
  throw new UserError("bench/no-version", `there is no skill in ${against}`, {
    hint: "name a directory with a SKILL.md, or a git ref in which the skill exists",
    diagnostics: problems,
  });
}

/** Writes the skill as it was at the ref, without touching the repository's index or working tree. */
async function fetchVersion(
  skill: Skill,
  ref: string,
  { folder, env }: { folder: string; env: Terminal["env"] },
): Promise<string> {
  const top = (await gitIn(skill.root, ref, env)(["rev-parse", "--show-toplevel"])).trimEnd();
  const git = gitIn(top, ref, env);
  await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  const inRepository = async (path: string) =>
    relative(top, await realpath(path))
      .split(sep)
      .join("/");
  if (skill.layout === "command") {
    const file = join(folder, ".claude", "commands", basename(skill.file));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await git(["show", `${ref}:${await inRepository(skill.file)}`]));
    return file;
  }
  const target = join(folder, basename(skill.root));
  const index = join(folder, "index");
  await git(["read-tree", `${ref}:${await inRepository(skill.root)}`], { GIT_INDEX_FILE: index });
  await git(["checkout-index", "--all", `--prefix=${target}/`], { GIT_INDEX_FILE: index });
  await stat(target).catch(() => mkdir(target));
  return target;
}

function gitIn(cwd: string, ref: string, around: Terminal["env"]) {
  // A caller inside a hook has variables set that name another index or working tree.
  const { GIT_DIR: _directory, GIT_INDEX_FILE: _index, GIT_WORK_TREE: _tree, ...rest } = around;
  return async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
    try {
      const { stdout } = await run("git", [...args], {
        cwd,
        maxBuffer: 1 << 28,
        env: { ...rest, ...env },
      });
      return stdout;
    } catch (error) {
      const { stderr = "" } = error as { stderr?: string };
      throw new UserError(
        "bench/no-version",
        `${JSON.stringify(ref)} is neither a directory nor a version of the skill that git knows${stderr === "" ? "" : `: ${stderr.trim()}`}`,
        { hint: "give a directory with the other version, or a branch, tag or commit", cause: error },
      );
    }
  };
}
