import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import type { Base } from "./base.ts";
import { Ground, HOST_ENV, skillMd } from "./fixtures/kit.ts";
import { PINNED_TIME } from "./layer.ts";

describe.each([
  ["a git repository", true, undefined],
  ["a project without git", false, false as const],
])("the base of %s", (_, isRepository, git) => {
  const options = git === undefined ? {} : { git };
  const ground = (): Ground => {
    const made = new Ground();
    if (isRepository) inProject(made, "git", "init", "-q", ".");
    return made;
  };

  it("holds what .gitignore leaves, but never history, packages and results", async () => {
    await using here = ground();
    here.write({
      "README.md": "hello",
      "src/a.ts": "a",
      ".gitignore": "dist/\n*.log\n!keep.log\n",
      "dist/out.js": "x",
      "x.log": "x",
      "keep.log": "x",
      "sub/.gitignore": "secret\n",
      "sub/secret": "x",
      "sub/open": "x",
      "node_modules/p/index.js": "x",
      "sub/node_modules/p/index.js": "x",
      ".assay/foo/iteration-1/run.json": "{}",
      ".clauditor/history.jsonl": "{}",
      ".claude/settings.json": "{}",
    });
    const base = await here.base(options);
    expect(filesOf(base)).toEqual([
      ".claude/settings.json",
      ".gitignore",
      "README.md",
      "keep.log",
      "src/a.ts",
      "sub/.gitignore",
      "sub/open",
    ]);
    expect(readFileSync(path.join(base.directory, "src/a.ts"), "utf8")).toBe("a");
  });

  it("keeps links that stay inside and leaves out those that leave", async () => {
    await using here = ground();
    here.write({ secret: "x" }, here.at("elsewhere"));
    here.write({
      "dir/file": "x",
      inner: { link: "dir/file" },
      absolute: { link: here.at("project/dir") },
      dangling: { link: "nowhere" },
      loop: { link: "loop" },
      "dir/up": { link: ".." },
      outer: { link: here.at("elsewhere/secret") },
      "dir/climbing": { link: "../../elsewhere" },
      chain: { link: "outer" },
      gone: { link: "../nowhere" },
    });
    const base = await here.base(options);
    expect(filesOf(base)).toEqual(["absolute", "dangling", "dir/file", "dir/up", "inner", "loop"]);
    expect(readlinkSync(path.join(base.directory, "absolute"))).toBe("dir");
    expect(base.notes.filter((note) => note.includes("points outside"))).toHaveLength(4);
  });

  it("leaves out FIFOs and takes odd names", async () => {
    await using here = ground();
    here.write({ "ünï 😀 name": "x", "new\nline": "x", "quo\"te's": "x", "-rf": "x", " lead": "x" });
    execFileSync("sh", ["-c", `mkfifo "$1"`, "sh", path.join(here.project, "pipe")]);
    const base = await here.base(options);
    expect(filesOf(base)).toEqual([" lead", "-rf", "new\nline", "quo\"te's", "ünï 😀 name"]);
  });

  it("keeps executable bits and gives everything one time", async () => {
    await using here = ground();
    here.write({ "bin/tool": "#!/bin/sh\n", "bin/text": "x" });
    execFileSync("chmod", ["755", path.join(here.project, "bin/tool")]);
    const base = await here.base(options);
    const at = (name: string) => lstatSync(path.join(base.directory, name));
    expect(at("bin/tool").mode & 0o111).toBe(0o111);
    expect(at("bin/text").mode & 0o111).toBe(0);
    for (const name of [".", "bin", "bin/tool", "bin/text"]) expect(at(name).mtime).toEqual(PINNED_TIME);
  });

  it("hides the paths it is given, with all below them", async () => {
    await using here = ground();
    here.write({
      "foo/one.yaml": "{}",
      "foo/A1/setup/x": "x",
      "bar/one.yaml": "{}",
      "t.json": "{}",
    });
    const hidden = [here.at("project/foo"), here.at("project/t.json")];
    expect(filesOf(await here.base({ ...options, hidden }))).toEqual(["bar/one.yaml"]);
  });

  it("is not emptied by a hidden directory that the project itself lies in", async () => {
    await using here = ground();
    here.write({ a: "x", "evals.json": "{}" });
    const hidden = [here.root, here.project, here.at("project/evals.json")];
    expect(filesOf(await here.base({ ...options, hidden }))).toEqual(["a"]);
  });

  it("holds no copy of the skill under test, by source or by name", async () => {
    await using here = ground();
    const skill = here.skill("foo", here.at("project/skills/foo"));
    const named = skillMd("foo");
    here.write({
      "skills/foo/references/r.md": "x",
      "skills/bar/SKILL.md": skillMd("bar"),
      ".claude/skills/linked": { link: "../../skills/foo" },
      ".claude/skills/other/SKILL.md": skillMd("other"),
      ".agents/skills/foo/notes.md": "no SKILL.md, but the client's folder",
      "plugins/p/skills/renamed/SKILL.md": named,
      "plugins/p/skills/renamed/deep/script.py": "x",
      "plugins/q/skills/quoted/SKILL.md": '---\nname: "foo"\ndescription: >\n  Long.\n---\nx',
      "plugins/q/skills/broken/SKILL.md": "---\nname: foo\ndescription: a: b\n---\nx",
      "plugins/q/skills/lower/skill.md": named,
      ".claude/commands/foo.md": "x",
      ".claude/commands/foo.eval.json": "{}",
      ".claude/commands/ns/foo.md": "x",
      ".claude/commands/food.md": "x",
      "docs/commands/foo.md": "an ordinary page",
      "dist-files/foo.skill": "zip",
      "foo-workspace/iteration-1/eval-1/grading.json": "{}",
      "foo-workspace/evals.txt": "x",
      "bar-workspace/iteration-1/x": "x",
    });
    expect(filesOf(await here.base({ ...options, skills: [skill] }))).toEqual([
      ".claude/commands/food.md",
      ".claude/skills/other/SKILL.md",
      "bar-workspace/iteration-1/x",
      "docs/commands/foo.md",
      "skills/bar/SKILL.md",
    ]);
  });

  it("is empty when the project is the skill", async () => {
    await using here = ground();
    const skill = here.skill("foo", here.project);
    here.write({ "scripts/x.py": "x", "evals/evals.json": "{}" });
    expect(filesOf(await here.base({ ...options, skills: [skill] }))).toEqual([]);
  });

  it("takes only the file of a command, not its neighbours", async () => {
    await using here = ground();
    const skill = here.command("foo");
    here.write({ ".claude/commands/bar.md": "x" });
    expect(filesOf(await here.base({ ...options, skills: [skill] }))).toEqual([".claude/commands/bar.md"]);
  });
});

describe("the base's repository", () => {
  it("has one commit with fixed author and dates, no remotes, no reflog, no other objects", async () => {
    await using here = new Ground();
    inProject(here, "git", "init", "-q", ".");
    here.write({ a: "answer of the future" });
    inProject(here, "git", "remote", "add", "origin", "https://example.com/x.git");
    commit(here, "one");
    here.write({ a: "1" });
    commit(here, "two");
    const base = await here.base();
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: base.directory, encoding: "utf8", env: gitEnv }).trim();
    expect(git("log", "--all", "--format=%an %ae %aI %cI %s")).toBe(
      "Assay assay@localhost 2025-01-01T00:00:00+00:00 2025-01-01T00:00:00+00:00 Start",
    );
    expect(git("reflog", "--all")).toBe("");
    expect(git("remote")).toBe("");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("fsck", "--unreachable", "--no-progress")).toBe("");
    expect(git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").split("\n").sort()).toEqual([
      "blob",
      "commit",
      "tree",
    ]);
    expect(existsSync(path.join(base.directory, ".git/hooks"))).toBe(false);
  });

  it("is the same commit for the same files, wherever and whenever it is made", async () => {
    await using one = new Ground();
    await using other = new Ground();
    const heads = [];
    for (const here of [one, other]) {
      here.write({ a: "1", "b/c": "2" });
      const base = await here.base();
      heads.push(
        execFileSync("git", ["rev-parse", "HEAD"], { cwd: base.directory, env: gitEnv, encoding: "utf8" }),
      );
    }
    expect(heads[0]).toBe(heads[1]);
  });

  it("is there for a skill without a project", async () => {
    await using here = new Ground();
    const base = await here.base({ project: null });
    expect(filesOf(base)).toEqual([]);
    expect(base.repository?.has(".git/HEAD")).toBe(true);
  });

  it("is missing, with a note, where there is no git", async () => {
    await using here = new Ground();
    const base = await here.base({ git: false });
    expect(base.repository).toBeNull();
    expect(base.notes).toEqual([expect.stringContaining("git was not found")]);
  });
});

describe("a project's own git", () => {
  it("lists submodules and repositories within by their own rules", async () => {
    await using here = new Ground();
    inProject(here, "git", "init", "-q", ".");
    here.write({ top: "x", "inner/.gitignore": "no\n", "inner/no": "x", "inner/yes": "x" });
    inProject(here, "git", "-C", "inner", "init", "-q", ".");
    expect(filesOf(await here.base())).toEqual(["inner/.gitignore", "inner/yes", "top"]);
  });

  it("runs no program that the project names", async () => {
    await using here = new Ground();
    inProject(here, "git", "init", "-q", ".");
    inProject(here, "git", "config", "core.fsmonitor", `touch ${here.at("pwned")}; false`);
    here.write({ ".gitattributes": "* filter=evil\n", a: "1" });
    inProject(here, "git", "config", "filter.evil.clean", `touch ${here.at("pwned")}; cat`);
    await here.base();
    expect(existsSync(here.at("pwned"))).toBe(false);
  });

  it("skips what is tracked but deleted, and takes what is tracked though ignored", async () => {
    await using here = new Ground();
    inProject(here, "git", "init", "-q", ".");
    here.write({ ".gitignore": "kept\n", kept: "x", gone: "x" });
    inProject(here, "git", "add", "-f", ".");
    execFileSync("rm", [path.join(here.project, "gone")]);
    expect(filesOf(await here.base())).toEqual([".gitignore", "kept"]);
  });

  it("does not make an ignored directory of a larger repository empty", async () => {
    await using here = new Ground();
    execFileSync("git", ["init", "-q", "."], { cwd: here.root, env: gitEnv });
    here.write({ ".gitignore": "project/\n" }, here.root);
    here.write({ a: "x" });
    expect(filesOf(await here.base())).toEqual(["a"]);
  });
});

const gitEnv = {
  ...HOST_ENV,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

function inProject(here: Ground, program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: here.project, env: gitEnv });
}

function commit(here: Ground, message: string): void {
  inProject(here, "git", "add", "-A");
  inProject(here, "git", "commit", "-qm", message);
}

function filesOf(base: Base): string[] {
  return [...base.entries]
    .filter(([, kind]) => kind !== "directory")
    .map(([name]) => name)
    .sort();
}
