import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";

import { findProgram } from "../../lib/find-program.ts";
import { absolutePath, git as safeGit } from "../../lib/git.ts";
import type { EntryKind, Entries } from "./layer.ts";
import { PINNED_DATE } from "./layer.ts";

/** The host's environment: git is looked for on its PATH and reads the user's global ignores from its HOME. */
export type HostEnv = Readonly<Record<string, string | undefined>>;

/** What git takes as the project's files, relative to `root`; null when this is no repository or there is no git. */
export async function gitFiles(root: string, env: HostEnv): Promise<readonly string[] | null> {
  if (!isInRepository(root)) return null;
  const ask = (...args: string[]) => safeGit(args, { cwd: root, env }).catch(() => null);
  const answer = await ask("ls-files", "-z", "-co", "--exclude-standard");
  if (answer === null) return null;
  const names = [...new Set(answer.split("\0").filter((name) => name !== ""))];
  if (names.length > 0) return names;
  const ignored = await ask("check-ignore", "-q", ".");
  return ignored === null ? [] : null;
}

/** Without a process: a project outside any repository is common, and git takes longer to say so. */
function isInRepository(root: string): boolean {
  for (let directory = path.resolve(root); ; directory = path.dirname(directory)) {
    if (existsSync(path.join(directory, ".git"))) return true;
    if (directory === path.dirname(directory)) return false;
  }
}

/** What git ignores there, relative to `root`: a directory ends with a slash and stands for all in it. */
export async function gitIgnored(root: string, env: HostEnv): Promise<readonly string[]> {
  if (!isInRepository(root)) return [];
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  const answer = await safeGit(args, { cwd: root, env }).catch(() => "");
  return answer.split("\0").filter((name) => name !== "" && name !== "./");
}

/**
 * Makes `root` a repository of exactly one commit with all its files, without remotes, reflog or hooks. All contents go
 * into one pack, so that copying the repository costs a few files. Answers what lies in `.git`; null without git.
 */
export async function commitAll(root: string, env: HostEnv): Promise<Entries | null> {
  if ((await findProgram("git", env["PATH"] ?? "", root)) === null) return null;
  const clean = { ...cleanEnv(env), ...IDENTITY };
  // What `git init` makes, without a process for it.
  await mkdir(path.join(root, ".git/objects"), { recursive: true });
  await mkdir(path.join(root, ".git/refs"));
  await mkdir(path.join(root, ".git/info"));
  await writeFile(path.join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  await writeFile(path.join(root, ".git/config"), CONFIG);
  return commitFiles(root, clean);
}

async function commitFiles(root: string, clean: HostEnv): Promise<Entries> {
  const packed = ["-c", "core.bigFileThreshold=1", "-c", "core.compression=1", "-c", "core.autocrlf=false"];
  await mustGit([...packed, "add", "-A", "-f", "."], root, clean);
  const plain = ["core.logAllRefUpdates", "commit.gpgSign", "maintenance.auto"].flatMap((name) => [
    "-c",
    `${name}=false`,
  ]);
  await mustGit(
    [...plain, "-c", "gc.auto=0", "commit", "-q", "--allow-empty", "--no-verify", "-m", "Start"],
    root,
    clean,
  );
  const entries = new Map<string, EntryKind>([[".git", "directory"]]);
  await listInto(entries, root, ".git");
  return entries;
}

/**
 * The same for a directory that holds all that `common` does, and more: its objects are taken over, its index says which
 * files are known already. Its commit is made anew.
 */
export async function commitAgain(
  common: { readonly directory: string; readonly repository: Entries | null },
  root: string,
  env: HostEnv,
): Promise<Entries> {
  for (const [relative, kind] of common.repository ?? []) {
    if (!isTakenOver(relative)) continue;
    const target = path.join(root, relative);
    if (kind === "directory") await mkdir(target);
    else if (relative.startsWith(".git/objects/")) await link(path.join(common.directory, relative), target);
    else await copyFile(path.join(common.directory, relative), target);
  }
  return commitFiles(root, { ...cleanEnv(env), ...IDENTITY });
}

function isTakenOver(relative: string): boolean {
  return !/^\.git\/(?:refs\/heads\/.|logs|COMMIT_EDITMSG)/.test(relative);
}

/** For `~/.gitconfig` in a trial: agents commit, and staged files may belong to another user of a namespace. */
export const TRIAL_GIT_CONFIG = `[user]
	name = Assay
	email = assay@localhost
[init]
	defaultBranch = main
[safe]
	directory = *
`;

/** Copies have other inodes and change times; size and modification time are enough to know a file again. */
const CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	checkStat = minimal
	trustctime = false
`;

const IDENTITY = {
  GIT_AUTHOR_NAME: "Assay",
  GIT_AUTHOR_EMAIL: "assay@localhost",
  GIT_AUTHOR_DATE: PINNED_DATE,
  GIT_COMMITTER_NAME: "Assay",
  GIT_COMMITTER_EMAIL: "assay@localhost",
  GIT_COMMITTER_DATE: PINNED_DATE,
};

async function listInto(entries: Map<string, EntryKind>, root: string, directory: string): Promise<void> {
  for (const entry of await readdir(path.join(root, directory), { withFileTypes: true })) {
    const relative = `${directory}/${entry.name}`;
    entries.set(relative, entry.isDirectory() ? "directory" : "file");
    if (entry.isDirectory()) await listInto(entries, root, relative);
  }
}

/** Nothing of the user's git: no templates, hooks, signing, filters. */
function cleanEnv(env: HostEnv): HostEnv {
  return {
    PATH: absolutePath(env["PATH"]),
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    LC_ALL: "C",
  };
}

async function mustGit(args: readonly string[], cwd: string, env: HostEnv): Promise<void> {
  const answer = await run(args, cwd, env);
  if (answer.ok) return;
  const failure = new Error(`git ${args.at(-1) ?? ""} failed in ${cwd}: ${answer.stderr}`);
  throw NO_SPACE.test(answer.stderr) ? Object.assign(failure, { code: "ENOSPC" }) : failure;
}

/** Git says it in English: see LC_ALL above. */
const NO_SPACE = /No space left on device|Disk quota exceeded/;

function run(
  args: readonly string[],
  cwd: string,
  env: HostEnv,
): Promise<{ readonly ok: boolean; readonly stderr: string }> {
  const options = { cwd, env: env as NodeJS.ProcessEnv, maxBuffer: 2 ** 30 };
  return new Promise((resolve) => {
    execFile("git", args, options, (error, _stdout, stderr) => resolve({ ok: error === null, stderr }));
  });
}
