import { cp, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { type Skill, skillPath } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { isOfSkill } from "../../iteration/digests.ts";
import { git, type GitPlace } from "../../lib/git.ts";
import { staysIn } from "../../lib/stays-in.ts";

/** The repository that one is in, and the commits that a change lies between. */
export interface Repository {
  /** Absolute, without links. */
  readonly top: string;
  /** Where the change branched off: what has come to the base since is not the change's. */
  readonly base: string;
  readonly head: string;
}

/** Throws a UserError where there is no repository, or no way from one commit to the other. */
export async function openRepository(base: string, place: GitPlace): Promise<Repository> {
  const ask = (args: readonly string[], message: string, hint: string) =>
    git(args, place).then(
      (text) => text.trim(),
      (cause: unknown) => {
        throw new UserError("ci/no-base", message, { hint, cause });
      },
    );
  const top = await ask(
    ["rev-parse", "--show-toplevel"],
    `${place.cwd} is not in a git repository`,
    "a change can only be measured where git knows what it changed",
  );
  const head = await ask(["rev-parse", "HEAD"], `${top} has no commit`, "commit first");
  await ask(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${base}^{commit}`],
    `there is no branch, tag or commit ${JSON.stringify(base)}`,
    "fetch it first: actions/checkout with fetch-depth: 0, or GIT_DEPTH: 0 in GitLab",
  );
  const from = await ask(
    ["merge-base", "--end-of-options", base, head],
    `${JSON.stringify(base)} and HEAD have no commit in common`,
    "fetch the whole history: actions/checkout with fetch-depth: 0, or GIT_DEPTH: 0 in GitLab",
  );
  return { top, base: from, head };
}

/** Writes all files of a commit, without touching index or working tree. Nothing that the repository names is run. */
export async function writeTree(
  commit: string,
  folder: string,
  { top, env }: { readonly top: string; readonly env: GitPlace["env"] },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const place = { cwd: top, env };
  const index = { GIT_INDEX_FILE: `${folder}.index` };
  await git(["read-tree", commit], place, index);
  await git(["checkout-index", "--all", "--force", `--prefix=${folder}/`], place, index);
  await rm(`${folder}.index`, { force: true });
}

/** Puts a skill's own files in the place of those that are there; its evals stay as they are there, unless all is wanted. */
export async function overlaySkill(
  skill: Skill,
  target: string,
  { evals }: { readonly evals: "keep" | "bring" },
): Promise<void> {
  if (skill.layout === "command") {
    await mkdir(dirname(target), { recursive: true });
    await requireOwn(skillPath(skill), dirname(skill.file));
    await cp(skill.file, target);
    return;
  }
  const isWanted = (path: string) => (evals === "bring" ? isCopied(path) : isOfSkill(path));
  await removeWhere(target, isWanted);
  await copyWhere(skill.root, target, isWanted);
}

/** Puts eval files that lie beside the skill in the same place of another tree. */
export async function bringFiles(
  paths: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const path of paths) {
    const way = relative(from, path);
    if (way === "" || way.startsWith("..")) continue;
    await requireOwn(path, from);
    await mkdir(dirname(join(to, way)), { recursive: true });
    await cp(path, join(to, way), { recursive: true, verbatimSymlinks: true });
  }
}

function isCopied(path: string): boolean {
  return !/(^|\/)(node_modules|\.git|\.assay)(\/|$)/.test(path);
}

async function removeWhere(root: string, isWanted: (path: string) => boolean): Promise<void> {
  for (const path of await entriesBelow(root, isWanted)) await rm(join(root, path), { force: true });
}

async function copyWhere(root: string, target: string, isWanted: (path: string) => boolean): Promise<void> {
  for (const path of await entriesBelow(root, isWanted)) {
    await requireOwn(join(root, path), root);
    await mkdir(dirname(join(target, path)), { recursive: true });
    await cp(join(root, path), join(target, path), { verbatimSymlinks: true });
  }
}

/** All that is no directory, relative, with forward slashes. */
async function entriesBelow(root: string, isWanted: (path: string) => boolean): Promise<readonly string[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter(isWanted);
}

/** A link out of the skill would bring files of this machine to the agent. */
async function requireOwn(path: string, root: string): Promise<void> {
  const found = await lstat(path);
  if (found.isFile() || found.isDirectory()) return;
  if (found.isSymbolicLink() && staysIn(root, path)) return;
  throw new UserError("ci/link-out", `${basename(root)}/${relative(root, path)} leads out of the skill`, {
    hint: "put a copy of the file in its place",
  });
}
