import { mkdir, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { type Skill, skillPath } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { git as safeGit } from "../../lib/git.ts";
import { nearest } from "../../lib/nearest.ts";
import type { Machine } from "../../machine.ts";

/**
 * Writes the skill as it was at the ref into the folder, without touching the repository's index or working tree. Answers
 * where it lies. Throws a UserError that tells apart: no repository, no such ref, a ref without the skill.
 */
export async function fetchVersion(
  skill: Skill,
  ref: string,
  { folder, env }: { readonly folder: string; readonly env: Machine["env"] },
): Promise<string> {
  const top = await topLevel(skill, ref, env);
  const git = gitIn(top, env);
  await requireRef(git, ref, top);
  const source = skillPath(skill);
  const path = relative(top, await realpath(source))
    .split(sep)
    .join("/");
  const missing = (cause: unknown): never => {
    throw new UserError("bench/no-version", `${ref} has no ${path === "" ? "such skill" : path}`, {
      hint: `git log --all -- ${path === "" ? "." : path} shows where it was changed; a version from another place can be named as a directory`,
      cause,
    });
  };
  if (skill.layout === "command") {
    const file = join(folder, ".claude", "commands", basename(skill.file));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await git(["cat-file", "blob", `${ref}:${path}`]).catch(missing));
    return file;
  }
  const target = join(folder, basename(skill.root));
  const index = { GIT_INDEX_FILE: join(folder, "index") };
  await git(["read-tree", `${ref}:${path}`], index).catch(missing);
  await git(["checkout-index", "--all", `--prefix=${target}/`], index);
  return target;
}

type Git = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>;

/** Rejects as git fails. */
function gitIn(cwd: string, around: Machine["env"]): Git {
  return (args, own = {}) => safeGit(args, { cwd, env: around }, own);
}

async function topLevel({ root }: Skill, ref: string, env: Machine["env"]): Promise<string> {
  try {
    return (await gitIn(root, env)(["rev-parse", "--show-toplevel"])).trimEnd();
  } catch (cause) {
    const { code, stderr = "" } = cause as { code?: unknown; stderr?: string };
    const why =
      code === "ENOENT"
        ? "git is not installed"
        : /not a git repository/i.test(stderr)
          ? `${root} is not in a git repository`
          : stderr.trim();
    throw new UserError(
      "bench/no-version",
      `${JSON.stringify(ref)} is not a directory with a skill, and ${why}`,
      {
        hint: "give a directory with the other version, or a git ref of the skill's repository",
        cause,
      },
    );
  }
}

async function requireRef(git: Git, ref: string, top: string): Promise<void> {
  try {
    await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  } catch (cause) {
    const names = (await git(["for-each-ref", "--format=%(refname:short)"]).catch(() => "")).split("\n");
    const meant = nearest(ref, names);
    throw new UserError(
      "bench/no-version",
      `${JSON.stringify(ref)} is neither a directory with a skill nor a branch, tag or commit of ${top}`,
      {
        hint:
          meant === null || meant === ""
            ? "git branch --all and git tag list what there is; in CI, fetch it first"
            : `did you mean ${meant}?`,
        cause,
      },
    );
  }
}
