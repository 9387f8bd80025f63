import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

const AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@example.org"];

/** A committed project whose repository names a program for everything that git can be told to run. */
async function hostileProject(): Promise<TempTree> {
  const project = await greeterProject(GOOD_REPLIES, { "notes.txt": "one\n", "bin/git": "" });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project.root });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git(...AUTHOR, "commit", "-q", "-m", "Start");
  const trap = project.path("trap.sh");
  const marks = project.path(".git/marks");
  await mkdir(marks);
  await writeFile(trap, `#!/bin/sh\ntouch "${marks}/\${1:-run}"\ncat\n`);
  await chmod(trap, 0o755);
  await writeFile(project.path("bin/git"), `#!/bin/sh\n"${trap}" path-git </dev/null\nexit 1\n`);
  await chmod(project.path("bin/git"), 0o755);
  await mkdir(project.path(".git/hooks"), { recursive: true });
  for (const hook of ["post-index-change", "post-checkout", "fsmonitor-watchman"]) {
    await writeFile(project.path(`.git/hooks/${hook}`), `#!/bin/sh\n"${trap}" hook-${hook} </dev/null\n`);
    await chmod(project.path(`.git/hooks/${hook}`), 0o755);
  }
  await appendFile(
    project.path(".git/config"),
    `[core]
	fsmonitor = ${trap} fsmonitor
	sshCommand = ${trap} ssh
	pager = ${trap} pager
	askPass = ${trap}
[diff]
	external = ${trap} external
[diff "evil"]
	textconv = ${trap} textconv
	command = ${trap} command
[filter "evil"]
	clean = ${trap} clean
	smudge = ${trap} smudge
	required = true
[filter "a=b.c"]
	process = ${trap} process
	clean = ${trap} clean-odd
[credential]
	helper = !${trap} credential
`,
  );
  await writeFile(project.path(".git/info/attributes"), "*.txt filter=evil diff=evil\n*.md filter=a=b.c\n");
  // Same content, another time: git has to look at it, and would ask the filter.
  await utimes(project.path("notes.txt"), new Date(), new Date());
  await utimes(project.path("skills/greeter/SKILL.md"), new Date(), new Date());
  return project;
}

const marksOf = (project: TempTree) => readdir(project.path(".git/marks"));

it("the trap springs where git is called as usual", async () => {
  await using project = await hostileProject();
  execFileSync("git", ["status", "--porcelain"], { cwd: project.root, stdio: "pipe" });
  expect(await marksOf(project)).toContain("fsmonitor");
  expect(await marksOf(project)).toContain("clean");
});

it.each([
  ["list --changed", ["list", ".", "--changed", "main", "--harness", "scripted"]],
  ["run --changed", [...RUN, "--changed", "main"]],
  ["run", RUN],
  ["bench --against", ["bench", ...RUN.slice(1), "--against", "main", "--runs", "1"]],
])("%s runs nothing that the project's repository names", async (_, args) => {
  await using project = await hostileProject();
  await appendFile(project.path("skills/greeter/SKILL.md"), "\nBe kind.\n");
  const ran = await assay(args, { cwd: project.root });
  expect(ran.err).not.toMatch(/git cannot tell|unknown option|no-version/u);
  expect(ran.exitCode).toBeLessThan(2);
  expect(await marksOf(project)).toEqual([]);
});

it("a program called git in the project is not taken for git", async () => {
  await using project = await hostileProject();
  const env = { PATH: `:.:bin:${process.env["PATH"]}` };
  await assay([...RUN, "--changed", "main"], { cwd: project.root, env });
  expect(await marksOf(project)).toEqual([]);
});

it("a caller's GIT_DIR does not lead --changed into another repository", async () => {
  await using project = await greeterProject(GOOD_REPLIES);
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: project.root });
  execFileSync("git", [...AUTHOR, "commit", "-q", "--allow-empty", "-m", "Start"], { cwd: project.root });
  const env = { GIT_DIR: "/nonexistent", GIT_EXTERNAL_DIFF: "/nonexistent" };
  const listed = await assay(["list", ".", "--changed", "main", "--harness", "scripted"], {
    cwd: project.root,
    env,
  });
  expect(listed.exitCode).toBe(0);
  expect(listed.out).toContain("greeter");
  expect(existsSync(project.path(".assay"))).toBe(false);
});
